import { setTimeout as pause } from 'node:timers/promises';
import {
  DomainError,
  type IgnoredEntries,
  ingestionProgress,
  type IngestionProgress,
  registerFolder,
  startRun,
} from '@acervo/contracts';
import { documentStatus } from '@acervo/public-mapping';
import type { Calls } from '@acervo/platform-calls';
import type { WorkScope } from '@acervo/rbac';

export type Say = (line: string) => void;

const PATIENCE = 8;

/** Does a piece of work again when an engine went away under it; what the domain refuses stays refused. */
export const persistently = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= PATIENCE || (error instanceof DomainError && error.code !== 'INTERNAL_ERROR')) throw error;
      await pause(1_000);
    }
  }
};

/** Why entries were left out, for people; a rule that is not listed speaks for itself. */
const REASONS: Readonly<Record<string, string>> = {
  dependency: 'in folders that belong to programs',
  excluded: 'named in .acervoignore',
  link: 'links',
  special: 'special files',
  too_large: 'too large',
  too_deep: 'too deep',
};

const reasonOf = ({ rule, entries }: IgnoredEntries): string => `${entries} ${REASONS[rule] ?? rule}`;

/** A folder to take in. */
export interface Taking {
  readonly folder: string;
  readonly entityCode: string;
  /** Believe that documents are gone, even when most are gone at once. */
  readonly acceptDeletions: boolean;
  /** Say nothing of a scan that found everything as it was. */
  readonly onlyChanges: boolean;
}

/** Registers and scans one folder, and says what it found. Both may be repeated. */
export const takeIn = async (
  calls: Calls,
  scope: WorkScope,
  { folder, entityCode, acceptDeletions, onlyChanges }: Taking,
  say: Say,
): Promise<void> => {
  const { locationCode } = await persistently(() => calls.send(registerFolder, scope, { path: folder, entityCode }));
  const run = await persistently(() => calls.send(startRun, scope, { locationCode, acceptDeletions }));
  if (onlyChanges && run.added + run.changed + run.missing === 0 && run.notice === null) return;
  const parts = [
    `${run.seen} files`,
    `${run.added} new`,
    `${run.changed} changed`,
    `${run.missing} gone`,
    `${run.ignored.reduce((sum, { entries }) => sum + entries, 0)} left out`,
  ];
  say(`Scanned ${folder}: ${parts.join(', ')}.`);
  if (run.ignored.length > 0) say(`  Left out: ${run.ignored.map(reasonOf).join(', ')}.`);
  if (run.notice !== null) say(`  ${run.notice}`);
};

/** Where the documents stand, in one line. */
export const progressLine = ({ counts, waiting, chunks }: IngestionProgress): string => {
  const states = counts.map(({ status, documents }) => `${documents} ${documentStatus.toPublic(status).toLowerCase()}`);
  return `${states.join(', ')}; ${chunks} chunks searchable, ${waiting} documents to go`;
};

/** Everything that is known about documents and work, as lines. */
export const summaryOf = ({ counts, chunks, failures }: IngestionProgress): string[] => {
  const searchable = counts.find(({ status }) => status === 'VECTORIZADO')?.documents ?? 0;
  const total = counts.reduce((sum, { documents }) => sum + documents, 0);
  return [
    `Done: ${searchable} of ${total} documents searchable, ${chunks} chunks.`,
    ...(failures.length === 0 ? [] : [`Not searchable (${failures.length}):`]),
    ...failures.map(({ path, reason }) => `  ${path}: ${reason}`),
  ];
};

/** Says how the ingestion goes on, when it changed, until nothing waits any more; then sums up. */
export const followIngestion = async (
  calls: Calls,
  scope: WorkScope,
  say: Say,
  stopped: () => boolean,
): Promise<void> => {
  let last = '';
  for (;;) {
    if (stopped()) return;
    const progress = await calls.send(ingestionProgress, scope, {}).catch(() => undefined);
    if (progress !== undefined) {
      if (progress.waiting === 0) return summaryOf(progress).forEach(say);
      const now = progressLine(progress);
      if (now !== last) say(now);
      last = now;
    }
    await pause(1_000);
  }
};
