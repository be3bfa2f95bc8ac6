#!/usr/bin/env node
// Measures the product on this machine; see the usage below.
import { parseArgs } from 'node:util';
import { build, install } from './lib/workspace.mjs';

const benches = {
  speed: () => import('./bench/speed.mjs'),
  quality: () => import('./bench/quality.mjs'),
  embedding: () => import('./bench/embedding.mjs'),
};
const usage = `npm run bench -- speed [--chunks N] [--rounds N]
npm run bench -- embedding [--chunks N]
npm run bench -- quality [--data DIR] [--demo DIR] [--embedder NAME] [--collections A,B] [--keep DIR] [--runs DIR]
  --data         judged collections, a folder each: corpus.jsonl, queries.jsonl, qrels.tsv
  --demo         files/ and QUESTIONS.tsv
  --embedder     which embedder the installation uses (default: its own)
  --collections  only these
  --keep         ingested data is left here and used again
  --runs         the rankings of both legs are written here, for tuning
`;
const text = (value) => ({ type: 'string', ...(value === undefined ? {} : { default: value }) });

const { values, positionals } = parseArgs({
  options: {
    chunks: text('10000'),
    rounds: text('200'),
    ...Object.fromEntries(['data', 'demo', 'embedder', 'collections', 'keep', 'runs'].map((name) => [name, text()])),
  },
  allowPositionals: true,
});
const load = benches[positionals[0]];
if (load === undefined) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else {
  await install();
  await build();
  const { run } = await load();
  await run({ ...values, chunks: Number(values.chunks), rounds: Number(values.rounds) });
}
