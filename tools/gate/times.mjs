#!/usr/bin/env node
// Records how long each long suite took in the last run of this checkout: the shards and their order follow from it. A
// suite that did not run keeps its record.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/options.mjs';
import { outcomes } from '../lib/tally.mjs';
import { ON_ENGINES, recordedTimes, SHARDS } from './shards.mjs';

/** A shorter suite gets no record: `shards.mjs` counts the mean of them for it. */
const LEAST_S = 8;

const times = { ...recordedTimes() };
/** A suite that runs on both kinds of engines keeps its time on the embedded ones. */
const onEngines = outcomes(ON_ENGINES).filter(({ path }) => path.endsWith('.stack.ts'));
for (const { path, seconds } of [...outcomes(SHARDS), ...onEngines])
  if (seconds >= LEAST_S) times[path] = Math.round(seconds);
  else delete times[path];
const records = Object.entries(times)
  .filter(([path]) => existsSync(join(root, path)))
  .toSorted(([one], [other]) => (one < other ? -1 : 1));
writeFileSync(join(root, 'tools', 'jest', 'times.json'), `${JSON.stringify(Object.fromEntries(records), null, 2)}\n`);
process.stdout.write(`${records.length} suites recorded.\n`);
