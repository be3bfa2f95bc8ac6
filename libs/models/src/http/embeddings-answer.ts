import { EmbedderAnswerUnusable } from '../embedder.errors';
import { normalise } from '../vectors';

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const fromBase64 = (text: string): Float32Array => {
  const bytes = Buffer.from(text, 'base64');
  return Float32Array.from({ length: Math.floor(bytes.length / 4) }, (_, place) => bytes.readFloatLE(place * 4));
};

const vectorOf = (embedding: unknown): Float32Array => {
  if (typeof embedding === 'string') return fromBase64(embedding);
  if (Array.isArray(embedding) && embedding.every((value) => typeof value === 'number'))
    return Float32Array.from(embedding);
  throw new EmbedderAnswerUnusable('an embedding is neither numbers nor base64');
};

/**
 * The vectors of an answer of the OpenAI embeddings API, in the order of the texts, regardless of the order in the
 * answer.
 * @throws EmbedderAnswerUnusable unless there is exactly one vector of the dimension for each text.
 */
export const vectorsOfAnswer = (answer: unknown, texts: number, dimension: number): Float32Array[] => {
  const data: unknown = isRecord(answer) ? answer['data'] : undefined;
  if (!Array.isArray(data) || data.length !== texts)
    throw new EmbedderAnswerUnusable('it does not hold one embedding a text');
  const vectors: Float32Array[] = [];
  for (const [place, entry] of data.entries() as IterableIterator<[number, unknown]>) {
    if (!isRecord(entry)) throw new EmbedderAnswerUnusable('it does not hold one embedding a text');
    const index = typeof entry['index'] === 'number' ? entry['index'] : place;
    const vector = vectorOf(entry['embedding']);
    if (vector.length !== dimension)
      throw new EmbedderAnswerUnusable(
        `its vectors have ${vector.length} numbers and ${dimension} are configured; set the dimension of the model`,
      );
    vectors[index] = normalise(vector);
  }
  for (let index = 0; index < texts; index += 1)
    if (vectors[index] === undefined) throw new EmbedderAnswerUnusable('one embedding stands twice and one is missing');
  return vectors;
};
