// A separate installation on this machine, with the documents of one folder.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const require = createRequire(import.meta.url);

/** Runs `work` in a temporary folder, or in a given one that stays. */
export const inPlace = async (dataDirectory, work) => {
  const place = dataDirectory ?? mkdtempSync(join(tmpdir(), 'acervo-bench-'));
  try {
    return await work(place);
  } finally {
    if (dataDirectory === undefined) rmSync(place, { recursive: true, force: true });
  }
};

/** Starts the product with a folder, waits until it is searchable, and stops it after `work`. */
export const withInstallation = async ({ folder, data, embedder, lexical = 'postgresql' }, work) => {
  require('reflect-metadata');
  const { startEnvironment, startStandalone } = require('@acervo/standalone');
  const environment = startEnvironment({
    ACERVO_LOG_LEVEL: 'warn',
    ...process.env,
    ACERVO_LEXICAL: lexical,
    ...(lexical === 'opensearch' ? { ACERVO_OPENSEARCH_REPLICAS: '0' } : {}),
  });
  const port = 18_080 + Math.floor(Math.random() * 10_000);
  const options = {
    folder,
    sample: folder,
    data,
    port,
    processes: false,
    commands: [{ name: 'new-key' }],
    scanOnly: false,
    embedder,
  };
  const started = performance.now();
  const printed = [];
  const running = await startStandalone(options, environment, (line) => printed.push(line));
  try {
    await running.ingested;
    await bothLegsAnswer(running);
    const seconds = (performance.now() - started) / 1000;
    return await work({
      ingested: `${printed.find((line) => line.startsWith('Done')) ?? printed.at(-1)} (${seconds.toFixed(0)} s)`,
      search: (query, limit) => search(running, query, limit),
      explain: (query, limit) => running.explain(running.apiKey, { query, limit, minSimilarity: 0 }),
    });
  } finally {
    await running.stop();
  }
};

/** A new index is filled at its first search. */
const bothLegsAnswer = async (running) => {
  for (const until = Date.now() + 600_000; ; await pause(1_000)) {
    const { legs } = await running.explain(running.apiKey, { query: 'acervo', limit: 1, minSimilarity: 0 });
    if (legs.every(({ answered }) => answered)) return;
    if (Date.now() > until) throw new Error('A leg does not answer; see the log in the data directory.');
  }
};

const search = async ({ port, apiKey }, query, limit) => {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/documents/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, limit }),
  });
  if (!answer.ok) throw new Error(`The search answered ${answer.status}.`);
  return (await answer.json()).documents;
};
