// embedder-server.mjs MODULE PYTHON PORT: keeps one process of the embedder running.
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';

const [module, python, port] = process.argv.slice(2);
const { E5Process } = createRequire(import.meta.url)(module);
const say = (level) => (details, text) => process.stderr.write(`${level} ${text} ${JSON.stringify(details)}\n`);
const logger = { info: say('info'), warn: say('warn') };
const threads = Math.max(1, availableParallelism() - 1);
const embedder = new E5Process({ python, port: Number(port), threads, nice: 0, logger });
process.on('SIGTERM', () => void embedder.stop().then(() => process.exit(0)));
await embedder.start();
