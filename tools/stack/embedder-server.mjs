// embedder-server.mjs MODULE PYTHON PORT PORT: keeps two processes of the embedder running, for passages and questions.
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';

const [module, python, ...ports] = process.argv.slice(2);
const { E5Process } = createRequire(import.meta.url)(module);
const say = (level) => (details, text) => process.stderr.write(`${level} ${text} ${JSON.stringify(details)}\n`);
const logger = { info: say('info'), warn: say('warn') };
const cores = availableParallelism();
const [passages, queries] = ports.map(Number);
// As the one-machine program has them: passages leave a core and stand back behind what somebody waits for.
const embedders = [
  new E5Process({ python, port: passages, threads: Math.max(1, cores - 1), nice: 10, logger }),
  new E5Process({ python, port: queries, threads: Math.min(2, cores), nice: 0, logger }),
];
const stop = () => Promise.all(embedders.map((embedder) => embedder.stop()));
process.on('SIGTERM', () => void stop().then(() => process.exit(0)));
await Promise.all(embedders.map((embedder) => embedder.start()));
