// Separate engines for a bench, and the product on them; both are removed afterwards.
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../../lib/options.mjs';
import { cache } from '../../stack/place.mjs';
import { Stack } from '../../stack/stack.mjs';

const require = createRequire(import.meta.url);
const NAME = 'bench';
/** The loaded documents have no folder: a comparison of the stores would remove them. */
const NEVER_SETTLED = { ACERVO_RECONCILE_SETTLE_SECONDS: '3600' };

/** Starts engines in their own directory, and runs `work` with their variables. */
export const onEngines = async (wanted, work) => {
  const stack = new Stack(join(root, '.stack', `bench-${process.pid}`));
  try {
    await stack.up({ wanted, print: () => undefined, tied: true });
    // The helpers of the tests read the addresses of engines here.
    process.env.ACERVO_STACK = stack.place.state;
    return await work(stack.state.variables, stack.place.path);
  } finally {
    await stack.down({ remove: true });
  }
};

/** Starts the product on engines with an empty folder, and stops it after `work`. */
export const withProduct = async ({ variables, place, embedder, processes }, work) => {
  require('reflect-metadata');
  const { makeDatabase } = require('@acervo/platform-testing');
  const { startEnvironment, startStandalone } = require('@acervo/standalone');
  await makeDatabase(NAME);
  const settings = {
    ...variables,
    ...{ ACERVO_DATABASE_NAME: NAME, ACERVO_KAFKA_PREFIX: `${NAME}.`, ACERVO_OPENSEARCH_PREFIX: NAME },
    ...{ ACERVO_REDIS_PREFIX: NAME, ACERVO_S3_BUCKET: NAME, ACERVO_LOG_LEVEL: 'warn' },
    ACERVO_EMBEDDER_E5_DIRECTORY: join(cache(), 'e5'),
  };
  const environment = startEnvironment(settings);
  const folder = join(place, 'empty');
  mkdirSync(folder, { recursive: true });
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const options = {
    folder,
    sample: folder,
    data: join(place, 'product'),
    port,
    processes,
    commands: [{ name: 'new-key' }],
    embedder,
  };
  const running = await startStandalone(
    { ...options, scanOnly: true },
    { ...environment, reading: { ...environment.reading, ...NEVER_SETTLED } },
    () => undefined,
  );
  try {
    await running.ingested;
    return await work(running, settings);
  } finally {
    await running.stop();
  }
};
