// embedder-server.mjs MODULE PYTHON PORT PORT: runs two processes of the embedder, for passages and queries.
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';

const [module, python, ...ports] = process.argv.slice(2);
const { E5Process } = createRequire(import.meta.url)(module);
const print = (level) => (details, text) => process.stderr.write(`${level} ${text} ${JSON.stringify(details)}\n`);
const logger = { info: print('info'), warn: print('warn') };
const cores = availableParallelism();
const [passages, queries] = ports.map(Number);
// As in the one-machine program: passages leave one core free and have a lower priority than interactive work.
const embedders = [
  new E5Process({ python, port: passages, threads: Math.max(1, cores - 1), nice: 10, logger }),
  new E5Process({ python, port: queries, threads: Math.min(2, cores), nice: 0, logger }),
];
const stop = () => Promise.all(embedders.map((embedder) => embedder.stop()));
process.on('SIGTERM', () => void stop().then(() => process.exit(0)));
await Promise.all(embedders.map((embedder) => embedder.start()));
