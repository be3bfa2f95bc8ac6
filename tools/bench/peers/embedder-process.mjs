// The endpoint of weak vectors as a process of its own; it reports on request how often it was asked.
import { createServer } from 'node:http';
import { answerTo } from '../lib/weak-embedder.mjs';

const counts = { requests: 0, texts: 0 };

const server = createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  const answer = answerTo(JSON.parse(Buffer.concat(parts).toString()));
  counts.requests += 1;
  counts.texts += answer.data.length;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(answer));
});

process.on('message', () => process.send(counts));
process.once('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
