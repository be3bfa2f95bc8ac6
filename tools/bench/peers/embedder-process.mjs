// The endpoint of weak vectors as a process of its own; it reports on request how often it was asked.
import { weakEmbedder } from '../lib/weak-embedder.mjs';

const counts = { requests: 0, texts: 0 };

const server = weakEmbedder((texts) => {
  counts.requests += 1;
  counts.texts += texts;
});

process.on('message', () => process.send(counts));
process.once('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
