#!/usr/bin/env node
// Measures and checks the product on this machine: npm run bench -- speed | formats | unstructured, with options below.
import { parseArgs } from 'node:util';
import { build, install } from './lib/workspace.mjs';

const benches = {
  speed: () => import('./bench/speed.mjs'),
  formats: () => import('./bench/formats.mjs'),
  unstructured: () => import('./bench/unstructured.mjs'),
};

const { values, positionals } = parseArgs({
  options: {
    chunks: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '200' },
    data: { type: 'string' },
  },
  allowPositionals: true,
});
const load = benches[positionals[0]];
if (load === undefined) {
  process.stderr.write(`npm run bench -- ${Object.keys(benches).join(' | ')} [--chunks N] [--rounds N] [--data DIR]\n`);
  process.exitCode = 2;
} else {
  await install();
  await build();
  const { run } = await load();
  await run({ chunks: Number(values.chunks), rounds: Number(values.rounds), data: values.data });
}
