#!/usr/bin/env node
// Records how long each long suite took in the last run of this checkout: the shards and their order follow from it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/options.mjs';
import { outcomes } from '../lib/tally.mjs';
import { SHARDS } from './shards.mjs';

/** A shorter suite gets no record: `shards.mjs` counts the mean of them for it. */
const LEAST_S = 8;

const times = outcomes(SHARDS)
  .filter(({ seconds }) => seconds >= LEAST_S)
  .map(({ path, seconds }) => [path, Math.round(seconds)])
  .toSorted(([one], [other]) => (one < other ? -1 : 1));
writeFileSync(join(root, 'tools', 'jest', 'times.json'), `${JSON.stringify(Object.fromEntries(times), null, 2)}\n`);
process.stdout.write(`${times.length} suites recorded.\n`);
