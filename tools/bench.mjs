#!/usr/bin/env node
// Measures and checks the product on this machine: npm run bench -- speed | formats | unstructured, with options below.
import { parseArgs } from 'node:util';
import { build, install } from './lib/workspace.mjs';

const benches = {
  speed: () => import('./bench/speed.mjs'),
  formats: () => import('./bench/formats.mjs'),
  extraction: () => import('./bench/extraction.mjs'),
  unstructured: () => import('./bench/unstructured.mjs'),
  identity: () => import('./bench/identity.mjs'),
};

const { values, positionals } = parseArgs({
  options: {
    chunks: { type: 'string', default: '10000' },
    rounds: { type: 'string' },
    data: { type: 'string' },
    fuzz: { type: 'string', default: '5000' },
  },
  allowPositionals: true,
});
/** Rounds where nothing is said: of searches, which are short, and of readings, which are long. */
const rounds = { speed: 200, extraction: 5 };

const load = benches[positionals[0]];
if (load === undefined) {
  process.stderr.write(
    `npm run bench -- ${Object.keys(benches).join(' | ')} [--chunks N] [--rounds N] [--data DIR] [--fuzz N]\n`,
  );
  process.exitCode = 2;
} else {
  await install();
  await build();
  const { run } = await load();
  await run({
    chunks: Number(values.chunks),
    rounds: Number(values.rounds ?? rounds[positionals[0]]),
    fuzz: Number(values.fuzz),
    data: values.data,
  });
}
