// What is killed when, from a seed alone.
import { numbers } from '../texts.mjs';

/** The phases that every run of this bench must hit, with the place that ends a process in each of them. */
const PLACES = {
  ingestion: {
    scan: 'scan.batch',
    acquire: 'stage.acquire',
    extract: 'stage.extract',
    summarise: 'stage.summarise',
    chunk: 'stage.chunk',
    embed: 'stage.embed',
    'hand-over': 'stage.hand-over',
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

/** The phase of a process in which it ended by itself. */
export const phaseOf = (kind, place) =>
  Object.entries(PLACES[kind] ?? {}).find(([, each]) => each === place?.split(':')[0])?.[0];

export const victims = ['gateway', 'auth', 'operations', 'ingestion', 'retrieval', 'database', 'extraction', 'root'];

const shuffled = (items, next) =>
  items
    .map((item) => ({ item, at: next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);

/** How often a place is passed at most before the process dies there: early enough for few documents, too. */
const PASSAGES = { scan: 40, load: 8, purge: 160, consumer: 4, relay: 8 };
const BATCH = 40;
/** The first steps of a start are not what is looked at. */
const FIRST = { relay: 6 };

/** The places of a process, one a life, in the order in which documents pass them; every other one in each round. */
const livesOf = (kind, { next, documents, half }) =>
  Object.entries(PLACES[kind])
    .filter((_, index) => index % 2 === half)
    .map(([phase, place]) => {
      const most = Math.max(1, Math.floor(documents / (PASSAGES[phase] ?? BATCH) / 2));
      return `${place}:${(FIRST[phase] ?? 1) + Math.floor(next() * most)}`;
    });

/**
 * One round: the places where lives of processes end by themselves, and who is killed from outside at which share of
 * the documents, after which further wait. Two rounds that follow each other hit every phase.
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
