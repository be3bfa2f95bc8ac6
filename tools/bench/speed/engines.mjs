// Real engines of a bench's own, which are gone afterwards.
import { join } from 'node:path';
import { root } from '../../lib/options.mjs';
import { Stack } from '../../stack/stack.mjs';

/** Starts engines in a directory of their own and does something with the variables under which they are found. */
export const onEngines = async (wanted, work) => {
  const stack = new Stack(join(root, '.stack', `bench-${process.pid}`));
  try {
    await stack.up({ wanted, say: () => undefined, tied: true });
    // Where the helpers of the tests look for the engines.
    process.env.ACERVO_STACK = stack.place.state;
    return await work(stack.state.variables);
  } finally {
    await stack.down({ remove: true });
  }
};
