// Checks after all kills.
import { retryUntilAvailable } from '@acervo/e2e/harness';

const FINAL = ['VECTORIZADO', 'ERROR', 'NO_SOPORTADO'];

/** The number of documents, or undefined while any work waits. */
const settled = async (installation) => {
  const [{ waiting, documents }] = await installation.rows(
    'ingestion',
    `select count(*) filter (where status <> all($1))::int as waiting, count(*)::int as documents from ingestion.document`,
    [FINAL],
  );
  const open = (service) =>
    `select (select count(*)::int from ${service}.task where status in ('WAITING', 'LEASED') and stage not in ('reconcile', 'rescan', 'schedule-spaces'))
       + (select count(*)::int from ${service}.incoming) as open`;
  const [ingestion] = await installation.rows('ingestion', open('ingestion'));
  const [retrieval] = await installation.rows('retrieval', open('retrieval'));
  return waiting + ingestion.open + retrieval.open === 0 && documents > 0 ? documents : undefined;
};

/** Number of finished documents; for kills of extraction, the number of extracted ones. */
export const progress = async (installation, victim) => {
  const through = victim === 'extraction' ? [...FINAL, 'EXTRAIDO', 'CLASIFICADO', 'RESUMIDO', 'FRAGMENTADO'] : FINAL;
  const sql = 'select count(*)::int as n from ingestion.document where status = any($1)';
  return (await installation.rows('ingestion', sql, [through]))[0].n;
};

/** Runs without an end, after the time of a whole scan: a kill must not leave any. */
const openRuns = async (installation, seconds) => {
  const sql = 'select count(*)::int as open from ingestion.run where summary is null and not cancelled';
  const count = async () => (await installation.rows('ingestion', sql))[0].open;
  const none = async () => ((await count()) === 0 ? 0 : undefined);
  return retryUntilAvailable('The end of every run', none, seconds * 1_000).catch(count);
};

/** Surplus rows of chunks and vectors, compared with the live generations. */
const doubledNow = async (installation) => {
  const [{ dimension }] = await installation.rows(
    'retrieval',
    `select dimension from retrieval.embedding_space where state = 'LIVE'`,
  );
  const [{ live, chunks, distinct, vectors }] = await installation.rows(
    'retrieval',
    `select (select coalesce(sum(chunk_count), 0)::int from retrieval.live) as live,
       (select count(*)::int from retrieval.chunk) as chunks,
       (select count(distinct (document_id, ordinal))::int from retrieval.chunk) as distinct,
       (select count(*)::int from retrieval.vector_${dimension}) as vectors`,
  );
  return { live, chunks, doubled: chunks - distinct + Math.abs(chunks - live) + Math.abs(vectors - live) };
};

/**
 * The same at rest. A purge may wait some seconds, and two generations of chunks coexist until a repeated hand-over is
 * indexed.
 */
const doubled = async (installation) => {
  const atRest = async () => {
    const found = await doubledNow(installation);
    return found.doubled === 0 && (await settled(installation)) !== undefined ? found : undefined;
  };
  return retryUntilAvailable('Chunks that are there once', atRest, 60_000).catch(() => doubledNow(installation));
};

const lost = async (installation, expected) => {
  const missing = [];
  for (const { name, word } of expected) {
    const first = async () => (await installation.first(word)) ?? null;
    if ((await retryUntilAvailable('An answer', first, 30_000))?.name !== name) missing.push(name);
  }
  return missing;
};

/** Waits for the end of all work, and checks the result. */
export const check = async (installation, { expected, files, seconds }) => {
  await retryUntilAvailable('The end of all work', () => settled(installation), seconds * 1_000);
  const states = await installation.rows(
    'ingestion',
    `select status, count(*)::int as n from ingestion.document group by status order by status`,
  );
  const total = states.reduce((sum, { n }) => sum + n, 0);
  const searchable = states.find(({ status }) => status === 'VECTORIZADO')?.n ?? 0;
  const missing = await lost(installation, expected);
  const open = await openRuns(installation, Math.min(60, seconds));
  return {
    states: states.map(({ status, n }) => `${n} ${status}`).join(', '),
    missing,
    open,
    ...(await doubled(installation)),
    good: total === files && searchable === expected.length && missing.length === 0 && open === 0,
  };
};
