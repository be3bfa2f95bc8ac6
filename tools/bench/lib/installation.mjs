// A separate installation on this machine, with the documents of one folder.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Installation, until } from '@acervo/e2e/harness';

/** Runs `work` in a temporary folder, or in a given one that stays. */
export const inPlace = async (dataDirectory, work) => {
  const place = dataDirectory ?? mkdtempSync(join(tmpdir(), 'acervo-bench-'));
  try {
    return await work(place);
  } finally {
    if (dataDirectory === undefined) rmSync(place, { recursive: true, force: true });
  }
};

/**
 * Starts the product in this process, and stops it after `work`.
 * @param request the request of the harness; each start prints a new key
 */
export const withRunning = async (request, work) => {
  const installation = await Installation.start({ processes: false, commands: [{ name: 'new-key' }], ...request });
  try {
    return await work(installation);
  } finally {
    await installation.stop();
  }
};

/** A new index is filled at its first search. */
export const bothLegsAnswer = (installation) =>
  until(
    'An answer of both legs',
    async () => {
      const { legs } = await installation.explain({ query: 'acervo', limit: 1, minSimilarity: 0 });
      return legs.every(({ answered }) => answered);
    },
    600_000,
  );

/**
 * Starts the product with a folder, waits until it is searchable, and stops it after `work`.
 * @param environment variables beside those of this process; one that is undefined is left out
 */
export const withInstallation = (
  { folder, data, embedder = null, lexical = 'postgresql', environment: more = {} },
  work,
) => {
  const environment = {
    ...process.env,
    ...more,
    ACERVO_LEXICAL: lexical,
    ...(lexical === 'opensearch' ? { ACERVO_OPENSEARCH_REPLICAS: '0' } : {}),
  };
  const [started, printed] = [performance.now(), []];
  const request = { folder, data, embedder, environment, print: (line) => printed.push(line) };
  return withRunning(request, async (installation) => {
    await installation.running.ingested;
    await bothLegsAnswer(installation);
    const seconds = (performance.now() - started) / 1000;
    return work({
      installation,
      ingested: `${printed.find((line) => line.startsWith('Done')) ?? printed.at(-1)} (${seconds.toFixed(0)} s)`,
      search: (query, limit) => installation.search(query, { limit }),
      explain: (query, limit) => installation.explain({ query, limit, minSimilarity: 0 }),
    });
  });
};
