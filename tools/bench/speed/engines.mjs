// Separate engines for a bench, and the product on them; both are removed afterwards.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../lib/options.mjs';
import { cache } from '../../stack/place.mjs';
import { Stack } from '../../stack/stack.mjs';

/** The loaded documents have no folder: a comparison of the stores would remove them. */
const NEVER_SETTLED = { ACERVO_RECONCILE_SETTLE_SECONDS: '3600' };

/** Starts engines in their own directory, and runs `work` with their variables. */
export const onEngines = async (wanted, work) => {
  const stack = new Stack(join(root, '.stack', `bench-${process.pid}`));
  try {
    await stack.up({ wanted, print: () => undefined, tied: true });
    // The harness reads the addresses of engines here.
    process.env.ACERVO_STACK = stack.place.state;
    return await work(stack.state.variables, stack.place.path);
  } finally {
    await stack.down({ remove: true });
  }
};

/**
 * Starts the product on the running engines with an empty folder, and stops it after `work`, which also gets their
 * variables.
 */
export const withProduct = async ({ place, embedder, processes }, work) => {
  // The tests of the bench load this file without the product.
  const { withRunning } = await import('../lib/installation.mjs');
  const folder = join(place, 'empty');
  mkdirSync(folder, { recursive: true });
  const environment = { ...NEVER_SETTLED, ACERVO_EMBEDDER_E5_DIRECTORY: join(cache(), 'e5') };
  const request = { folder, data: join(place, 'product'), processes, embedder, scanOnly: true, environment };
  return withRunning(request, async (installation) => {
    await installation.running.ingested;
    return work(installation, installation.engines);
  });
};
