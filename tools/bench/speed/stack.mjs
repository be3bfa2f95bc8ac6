// Speed on real engines: events on their way, and the relay.
import { UsageError } from '../../lib/options.mjs';
import { onEngines } from './engines.mjs';
import { measureEvents } from './event-latency.mjs';
import { measureRelay } from './relay.mjs';

const ENGINES = {
  event: ['postgres', 'kafka'],
  relay: ['postgres', 'kafka'],
};

/** The parts that are asked for, in their order. @throws UsageError */
const partsFrom = (only) => {
  const names = only?.split(',') ?? Object.keys(ENGINES);
  for (const name of names)
    if (!(name in ENGINES))
      throw new UsageError(`There is no part ${name}; there are ${Object.keys(ENGINES).join(', ')}.`);
  return names;
};

/** Measures those that are asked for, in their order: each needs nothing of the others. */
export const onStack = async ({ only, rounds }) => {
  const names = partsFrom(only);
  const wanted = [...new Set(names.flatMap((name) => ENGINES[name]))];
  await onEngines(wanted, async (variables) => {
    if (names.includes('event')) await measureEvents(variables, rounds);
    if (names.includes('relay')) await measureRelay(variables);
  });
};
