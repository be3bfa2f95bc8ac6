// Speed on real engines: event latency, the relay, and search beside its parts while the index grows.
import { UsageError } from '../../lib/options.mjs';
import { onEngines } from './engines.mjs';
import { measureEvents } from './event-latency.mjs';
import { measureGrowth } from './growth.mjs';
import { measureRelay } from './relay.mjs';
import { sizesFrom } from './sizes.mjs';

const ENGINES = {
  event: ['postgres', 'kafka'],
  relay: ['postgres', 'kafka'],
  search: ['postgres', 'kafka', 'opensearch', 'redis', 's3'],
};

const SIZES = '10000,50000,200000';

/** The requested parts, in their order. @throws UsageError */
const partsFrom = (only) => {
  const names = only?.split(',') ?? Object.keys(ENGINES);
  for (const name of names)
    if (!(name in ENGINES))
      throw new UsageError(`There is no part ${name}; there are ${Object.keys(ENGINES).join(', ')}.`);
  return names;
};

/** Measures the requested parts in order; the parts are independent. */
export const onStack = async ({ only, sizes = SIZES, rounds, embedder = 'hashing', processes = false }) => {
  const names = partsFrom(only);
  const growing = { embedder, processes, rounds, sizes: sizesFrom(sizes) };
  const wanted = [...new Set(names.flatMap((name) => ENGINES[name]))];
  await onEngines(wanted, async (variables, place) => {
    if (names.includes('event')) await measureEvents(variables, rounds);
    if (names.includes('relay')) await measureRelay(variables);
    if (names.includes('search')) await measureGrowth({ place, ...growing });
  });
};
