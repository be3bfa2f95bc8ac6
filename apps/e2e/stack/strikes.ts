import { setTimeout as pause } from 'node:timers/promises';
import { actOnEngine, type StackEngine } from '@acervo/platform-testing';
import { retryUntilAvailable, until } from '../harness/waiting';
import type { Installation } from '../harness/installation';
import type { Counts, Ledger } from './ledger';

export const SERVICES = ['gateway', 'auth', 'ingestion', 'retrieval', 'operations'] as const;
export const ENGINES = ['redis', 's3', 'opensearch', 'kafka', 'postgres'] as const satisfies readonly StackEngine[];
export type Victim = (typeof SERVICES)[number] | (typeof ENGINES)[number];

/** Downtime of a killed engine, in milliseconds. */
const AWAY_MS = 3_000;
/** Longest time until all documents are done after the restart, in milliseconds. */
const END_MS = 420_000;
/** Longest time until an engine that is back answers, in milliseconds. */
const COUNT_MS = 120_000;

export interface Outcome extends Counts {
  readonly victim: Victim;
  readonly documents: number;
  /** Documents still in work after the restart. */
  readonly underWay: number;
  /** Time from the restart to the next searchable document; null if none was left. */
  readonly progressMs: number | null;
  readonly endMs: number;
}

const isEngine = (victim: Victim): victim is (typeof ENGINES)[number] =>
  (ENGINES as readonly string[]).includes(victim);

/** Kills a victim as a power cut does; resolves when it runs again. Redis loses its data. */
const strike = async (victim: Victim, installation: Installation): Promise<void> => {
  if (isEngine(victim)) {
    await actOnEngine(victim, victim === 'redis' ? 'lose' : 'kill');
    await pause(AWAY_MS);
    return actOnEngine(victim, 'start');
  }
  const [pid] = installation.processesOf(victim);
  if (pid === undefined) throw new Error(`There is no process of ${victim}.`);
  process.kill(pid, 'SIGKILL');
};

const succeeds = async (ask: () => Promise<boolean>): Promise<boolean> => ask().catch(() => false);

/** From this number of documents on, a step begins once a tenth of them is done; smaller numbers finish together. */
export const MANY = 100;
const BEGUN_MS = 500;

/**
 * Adds documents and changes some earlier ones, kills a victim during their ingestion, and waits until all work is
 * done.
 */
export const play = async (
  victim: Victim,
  { installation, ledger, documents }: { installation: Installation; ledger: Ledger; documents: number },
  changed: readonly string[],
): Promise<{ readonly outcome: Outcome; readonly names: readonly string[] }> => {
  const names = ledger.arrive(documents);
  ledger.change(changed);
  const done = (): Promise<number> => ledger.searchable(names);
  await pause(BEGUN_MS);
  if (documents >= MANY)
    await until('the first are through', () => succeeds(async () => (await done()) >= documents / 10), END_MS);
  await strike(victim, installation);
  const backAt = performance.now();
  const there = await retryUntilAvailable('a count', done, COUNT_MS);
  const underWay = names.length - there;
  await until('progress', () => succeeds(async () => underWay === 0 || (await done()) > there), END_MS);
  const progressMs = underWay === 0 ? null : performance.now() - backAt;
  const all = [...names, ...changed];
  await until('the end', () => succeeds(() => ledger.isDone(all)), END_MS).catch(() => undefined);
  const endMs = performance.now() - backAt;
  const counts = await retryUntilAvailable('the counts', () => ledger.counts(all), COUNT_MS);
  return {
    outcome: { victim, documents: all.length, underWay, progressMs, endMs, ...counts },
    names,
  };
};

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** One line for each step. */
export const lineOf = ({ victim, documents, lost, doubled, copies, open, ...times }: Outcome): string =>
  [
    `${victim.padEnd(11)}${String(documents).padStart(4)} documents: ${lost} lost, ${doubled + copies} doubled, ${open} not final;`,
    `${times.underWay} under way when it was back, first progress`,
    `${times.progressMs === null ? 'was not needed' : `after ${seconds(times.progressMs)}`}, all after ${seconds(times.endMs)}`,
  ].join(' ');
