// The plan of kills, derived from a seed only.
import { SERVICES } from '@acervo/e2e/harness';
import { numbers } from '../texts.mjs';

/** The phases that every run must hit, each with the failpoint that ends a process in it. */
const PLACES = {
  ingestion: {
    scan: 'scan.batch',
    acquire: 'stage.acquire',
    extract: 'stage.extract',
    step: 'pipeline.step',
    outcome: 'pipeline.before-commit',
    committed: 'pipeline.committed',
    vectors: 'stage.vectors',
  },
  retrieval: {
    index: 'stage.index',
    load: 'handover.middle',
    purge: 'stage.purge',
    consumer: 'consumer.before-inbox',
  },
  root: { relay: 'relay.before-move' },
};
export const phases = Object.values(PLACES).flatMap((places) => Object.keys(places));

/** The phase in which a process ended at its failpoint. */
export const phaseOf = (kind, place) =>
  Object.entries(PLACES[kind] ?? {}).find(([, each]) => each === place?.split(':')[0])?.[0];

export const victims = [...SERVICES, 'database', 'extraction', 'root'];

const shuffled = (items, next) =>
  items
    .map((item) => ({ item, at: next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);

/** Most passes of a place before the process dies there: few enough for small numbers of documents. */
const PASSAGES = { scan: 40, step: 2, load: 8, purge: 160, consumer: 4, relay: 8 };
const BATCH = 40;
/** The first passes belong to the start, which is not tested here. */
const FIRST = { relay: 6 };

/**
 * The failpoints of a process, one per life, in the order in which documents pass them; each round takes every other
 * one.
 */
const livesOf = (kind, { next, documents, half }) =>
  Object.entries(PLACES[kind])
    .filter((_, index) => index % 2 === half)
    .map(([phase, place]) => {
      const most = Math.max(1, Math.floor(documents / (PASSAGES[phase] ?? BATCH) / 2));
      return `${place}:${(FIRST[phase] ?? 1) + Math.floor(next() * most)}`;
    });

/**
 * One round: the failpoints that end lives of processes, and the kills from outside with their victim, share of
 * documents and further wait. Two consecutive rounds hit every phase.
 */
export const planOf = (seed, round, documents, only) => {
  const half = round % 2;
  const next = numbers(seed + 1_000 * round);
  const lives = Object.fromEntries(Object.keys(PLACES).map((kind) => [kind, livesOf(kind, { next, documents, half })]));
  const kills = shuffled([...victims, 'ingestion', 'retrieval'], next)
    .filter((victim) => only.includes(victim) && (victim !== 'root' || half === 1))
    .map((victim) => ({ victim, at: next() * 0.9, waitMs: Math.floor(next() * 1_000) }))
    .sort((a, b) => a.at - b.at);
  return { lives, kills };
};
