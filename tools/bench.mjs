#!/usr/bin/env node
// Measures the product on this machine: npm run bench -- speed [--chunks N] [--rounds N]
import { parseArgs } from 'node:util';
import { build, install } from './lib/workspace.mjs';

const benches = { speed: () => import('./bench/speed.mjs'), identity: () => import('./bench/identity.mjs') };

const { values, positionals } = parseArgs({
  options: { chunks: { type: 'string', default: '10000' }, rounds: { type: 'string', default: '200' } },
  allowPositionals: true,
});
const load = benches[positionals[0]];
if (load === undefined) {
  process.stderr.write(`npm run bench -- ${Object.keys(benches).join(' | ')} [--chunks N] [--rounds N]\n`);
  process.exitCode = 2;
} else {
  await install();
  await build();
  const { run } = await load();
  await run({ chunks: Number(values.chunks), rounds: Number(values.rounds) });
}
