import { setTimeout as pause } from 'node:timers/promises';
import { actOnEngine, type StackEngine } from '@acervo/platform-testing';
import { retryUntilAvailable, until } from '../harness/waiting';
import type { Service } from '../harness/deployment/composed-environments';
import type { Installation } from '../harness/installation';
import type { Counts, WrittenDocuments } from './written-documents';

export const ENGINES = ['redis', 's3', 'opensearch', 'kafka', 'postgres'] as const satisfies readonly StackEngine[];
export type FaultTarget = Service | (typeof ENGINES)[number];

/** Downtime of a killed engine, in milliseconds. */
const AWAY_MS = 3_000;
/** Longest time until all documents are done after the restart, in milliseconds. */
const END_MS = 420_000;
/** Longest time until an engine that is back answers, in milliseconds. */
const COUNT_MS = 120_000;

export interface Outcome extends Counts {
  readonly target: FaultTarget;
  readonly documents: number;
  /** Documents still in work after the restart. */
  readonly underWay: number;
  /** Time from the restart to the next searchable document; null if none was left. */
  readonly progressMs: number | null;
  readonly endMs: number;
}

const isEngine = (target: FaultTarget): target is (typeof ENGINES)[number] =>
  (ENGINES as readonly string[]).includes(target);

/** Kills a target as a power cut does; resolves when it runs again. Redis loses its data. */
const injectFault = async (target: FaultTarget, installation: Installation): Promise<void> => {
  if (isEngine(target)) {
    await actOnEngine(target, target === 'redis' ? 'lose' : 'kill');
    await pause(AWAY_MS);
    return actOnEngine(target, 'start');
  }
  const [pid] = installation.processesOf(target);
  if (pid === undefined) throw new Error(`There is no process of ${target}.`);
  process.kill(pid, 'SIGKILL');
};

const succeeds = async (ask: () => Promise<boolean>): Promise<boolean> => ask().catch(() => false);

/** From this number of documents on, a step begins once a tenth of them is done; smaller numbers finish together. */
export const MANY = 100;
const BEGUN_MS = 500;

/**
 * Adds documents and changes some earlier ones, kills a target during their ingestion, and waits until all work is
 * done.
 */
export const runWithFault = async (
  target: FaultTarget,
  { installation, written, documents }: { installation: Installation; written: WrittenDocuments; documents: number },
  changed: readonly string[],
): Promise<{ readonly outcome: Outcome; readonly names: readonly string[] }> => {
  const names = written.arrive(documents);
  written.change(changed);
  const done = (): Promise<number> => written.searchable(names);
  await pause(BEGUN_MS);
  if (documents >= MANY)
    await until('the first are through', () => succeeds(async () => (await done()) >= documents / 10), END_MS);
  await injectFault(target, installation);
  const backAt = performance.now();
  const there = await retryUntilAvailable('a count', done, COUNT_MS);
  const underWay = names.length - there;
  await until('progress', () => succeeds(async () => underWay === 0 || (await done()) > there), END_MS);
  const progressMs = underWay === 0 ? null : performance.now() - backAt;
  const all = [...names, ...changed];
  await until('the end', () => succeeds(() => written.isDone(all)), END_MS).catch(() => undefined);
  const endMs = performance.now() - backAt;
  const counts = await retryUntilAvailable('the counts', () => written.counts(all), COUNT_MS);
  return {
    outcome: { target, documents: all.length, underWay, progressMs, endMs, ...counts },
    names,
  };
};

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** One line for each step. */
export const lineOf = ({ target, documents, lost, doubled, copies, open, ...times }: Outcome): string =>
  [
    `${target.padEnd(11)}${String(documents).padStart(4)} documents: ${lost} lost, ${doubled + copies} doubled, ${open} not final;`,
    `${times.underWay} under way when it was back, first progress`,
    `${times.progressMs === null ? 'was not needed' : `after ${seconds(times.progressMs)}`}, all after ${seconds(times.endMs)}`,
  ].join(' ');
