// An endpoint of the OpenAI embeddings API whose vectors know spellings alone: no stems, no pieces, many collisions.
import { createServer } from 'node:http';

const DIMENSION = 384;
const PLACES = 3;

const hash = (text, seed) => {
  let value = (2_166_136_261 ^ seed) >>> 0;
  for (const character of text) value = Math.imul(value ^ character.codePointAt(0), 16_777_619) >>> 0;
  value ^= value >>> 16;
  return Math.imul(value, 0x85ebca6b) >>> 0;
};

/** Words hashed to signed places, damped by their number: a vector of length 1. */
const weakVector = (text) => {
  const vector = new Float32Array(DIMENSION);
  const counts = new Map();
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]{3,}/gu)) counts.set(word, (counts.get(word) ?? 0) + 1);
  for (const [word, count] of counts)
    for (let seed = 0; seed < PLACES; seed += 1) {
      const value = hash(word, seed * 40_503);
      vector[value % DIMENSION] += (value & 0x80000000 ? -1 : 1) * (1 + Math.log(count));
    }
  const length = Math.hypot(...vector);
  if (length === 0) vector[0] = 1;
  return length === 0 ? vector : vector.map((value) => value / length);
};

/** The answer of the endpoint to a request. */
const answerTo = ({ input, model, encoding_format: encoding }) => ({
  object: 'list',
  model,
  // Some clients require it.
  usage: { prompt_tokens: 0, total_tokens: 0 },
  data: [input].flat().map((text, index) => {
    const embedding = weakVector(text);
    return { object: 'embedding', index, embedding: encoding === 'base64' ? base64(embedding) : [...embedding] };
  }),
});
const base64 = ({ buffer }) => Buffer.from(buffer).toString('base64');

/** The endpoint, not listening yet. @param answered is called with the number of texts of each request */
export const weakEmbedder = (answered = () => undefined) =>
  createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const answer = answerTo(JSON.parse(Buffer.concat(parts).toString()));
    answered(answer.data.length);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer));
  });

/** Serves weak vectors while `work` runs. @param work gets the variables of an installation that uses them */
export const withWeakEmbedder = async (work) => {
  const server = weakEmbedder();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const url = `http://127.0.0.1:${server.address().port}/v1`;
    return await work({ ACERVO_EMBEDDER_URL: url, ACERVO_EMBEDDER_MODEL: 'weak' });
  } finally {
    server.closeAllConnections();
    server.close();
  }
};
