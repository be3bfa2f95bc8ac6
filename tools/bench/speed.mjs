// Search through /v1 beside its parts: the query embedding and both raw legs, in turn, within one run.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { corpus, queries } from './texts.mjs';

const require = createRequire(import.meta.url);
const percentile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
const figures = (times) => {
  const sorted = [...times].sort((a, b) => a - b);
  return { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95), n: sorted.length };
};
const show = (name, { p50, p95, n }) =>
  process.stdout.write(
    `${name.padEnd(34)} p50 ${p50.toFixed(2).padStart(7)} ms   p95 ${p95.toFixed(2).padStart(7)} ms   N ${n}\n`,
  );

const timed = async (work) => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

export const run = async ({ chunks, rounds }) => {
  require('reflect-metadata');
  const { startStandalone } = require('@acervo/standalone');
  const place = mkdtempSync(join(tmpdir(), 'acervo-bench-'));
  const folder = join(place, 'folder');
  const documents = corpus(folder, chunks);
  process.stdout.write(`${documents} generated documents, about ${chunks} chunks; ingesting ...\n`);
  const started = performance.now();
  const port = 18_080 + Math.floor(Math.random() * 1_000);
  const options = {
    folder,
    sample: folder,
    data: join(place, 'data'),
    port,
    processes: false,
    newKey: false,
    scanOnly: false,
  };
  const environment = {
    administrator: 'admin@acervo.local',
    mail: {},
    logLevel: 'warn',
    failpoint: undefined,
    embedder: { ACERVO_EMBEDDER: 'hashing' },
  };
  const running = await startStandalone(
    options,
    environment,
    (line) => /^(Done|\d)/.test(line) && process.stdout.write(`  ${line}\n`),
  );
  try {
    await running.intake;
    process.stdout.write(`  taken in after ${((performance.now() - started) / 1000).toFixed(0)} s\n\n`);
    await measure({ running, port, rounds });
  } finally {
    await running.stop();
    rmSync(place, { recursive: true, force: true });
  }
};

const measure = async ({ running, port, rounds }) => {
  const { Client } = require('pg');
  const { queryTerms, defaultLanguages } = require('@acervo/analysis');
  const { embedderByName } = require('@acervo/models');
  const { poolConfig } = require('@acervo/platform-database');
  const { lexicalStatement, vectorStatement } = require('@acervo/retrieval');
  const embedder = embedderByName('hashing');
  const client = new Client(poolConfig(running.connection('retrieval_app')));
  await client.connect();
  const group = running.group.groupId;
  const under = async (statement) => {
    const settings = Object.entries(statement.local).map(([name, value]) => `set local ${name} = '${value}';`);
    await client.query(`begin read only; select set_config('app.group_id', '${group}', true); ${settings.join(' ')}`);
    const { rows } = await client.query(statement.sql, [...statement.params]);
    await client.query('commit');
    return rows;
  };
  const space = (
    await under({
      local: {},
      params: [group],
      sql: `select s.space_id as "spaceId", s.model, s.revision, s.dimension, s.floor, b.bucket from retrieval.embedding_space s
            join retrieval.bucket_catalogue b on b.group_id = s.group_id where s.group_id = $1 and s.state = 'LIVE'`,
    })
  )[0];
  const visibility = { groupId: group, entities: ['E1'], locationRoots: null, locationCode: null };
  const leg = { visibility, space, depth: 200 };
  const search = async (query) => {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/documents/search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${running.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    if (!answer.ok) throw new Error(`The search answered ${answer.status}.`);
    await answer.json();
  };
  const times = { search: [], embedding: [], lexical: [], vector: [], parts: [] };
  for (const [index, query] of queries(rounds + 20).entries()) {
    let vector;
    const one = {
      search: await timed(() => search(query)),
      embedding: await timed(async () => ([vector] = await embedder.embed([query], 'query'))),
      lexical: await timed(() => under(lexicalStatement(leg, queryTerms(query, defaultLanguages)))),
      vector: await timed(() => under(vectorStatement(leg, vector, true))),
    };
    if (index < 20) continue;
    for (const [name, time] of Object.entries(one)) times[name].push(time);
    times.parts.push(one.embedding + one.lexical + one.vector);
  }
  await client.end();
  for (const [name, list] of Object.entries(times))
    show(name === 'parts' ? 'embedding + both raw legs' : name, figures(list));
  const [whole, parts] = [figures(times.search), figures(times.parts)];
  process.stdout.write(
    `\nsearch / parts: p50 ${(whole.p50 / parts.p50).toFixed(2)} x (goal 1.5), p95 ${(whole.p95 / parts.p95).toFixed(2)} x (goal 2.5)\n`,
  );
  process.stdout.write(`lexical leg at depth 200: p50 ${figures(times.lexical).p50.toFixed(2)} ms (goal 5)\n`);
};
