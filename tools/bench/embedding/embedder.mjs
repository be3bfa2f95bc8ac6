// The embedder of the one-machine program, installed into a fresh directory, with what its process consumes.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { timed } from '../lib/figures.mjs';
import { ownMemory, peakMemory } from '../lib/memory.mjs';
import { root } from '../../lib/options.mjs';

const require = createRequire(import.meta.url);
const compiled = (name) => require(join(root, 'apps', 'standalone', 'dist', 'embedder', `${name}.js`));
const QUESTION = '¿Cuándo se paga la cuota de riego?';
/** Fields of /proc/PID/stat after the name, and its clock ticks a second. */
const [USER, SYSTEM, TICKS] = [11, 12, 100];

const cpuSeconds = (pid) => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[USER]) + Number(fields[SYSTEM])) / TICKS;
};

const clientOf = (url) => {
  const { E5, HttpEmbedder } = require('@acervo/models');
  const queue = { url, timeoutMs: 60_000, budgetMs: 60_000, concurrency: 2, prefix: '' };
  return new HttpEmbedder({
    ...{ embeddingModel: E5, model: E5.model, apiKey: null, inputType: true, encoding: 'base64' },
    ...{ batchTexts: 4, batchCharacters: 24_000, query: queue, passage: queue },
  });
};

/** Installs the embedder below `place`, starts it, and stops it after `work`. */
export const withEmbedder = async (place, work) => {
  const { installE5 } = compiled('e5-install');
  const { E5Process } = compiled('e5-process');
  const { freePort } = require('@acervo/standalone/free-port');
  const directory = join(place, 'e5');
  const file = process.env.ACERVO_EMBEDDER_E5_FILE;
  const installedSeconds = (await timed(() => installE5(directory, { print: () => undefined, file }))) / 1_000;
  const logger = { info: () => undefined, warn: () => undefined };
  const running = new E5Process({ directory, port: await freePort(), logger });
  const readyMs = await timed(() => running.start());
  const client = clientOf(running.url);
  const firstMs = await timed(() => client.embed([QUESTION], 'query'));
  try {
    return await work({
      ...{ directory, installedSeconds, precision: running.precision, cores: availableParallelism() },
      client,
      readySeconds: (readyMs + firstMs) / 1_000,
      embed: async (texts) => {
        const before = cpuSeconds(running.pid);
        let vectors = [];
        const ms = await timed(async () => (vectors = await client.embed(texts, 'passage')));
        return { vectors, seconds: ms / 1_000, cpuSeconds: cpuSeconds(running.pid) - before };
      },
      /** Times of questions, one after the other. */
      questions: async (most) => {
        const times = [];
        while (times.length < most) times.push(await timed(() => client.embed([QUESTION], 'query')));
        return times;
      },
      megabytes: () => ({ own: ownMemory(running.pid), peak: peakMemory(running.pid) }),
    });
  } finally {
    await running.stop();
  }
};
