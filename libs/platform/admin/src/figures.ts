import type { IngestionProgress, StatusCount } from '@acervo/contracts';
import { documentStatus } from '@acervo/public-mapping';

/** The progress of the documents, as users see it. */
export interface Figures {
  /** Documents that have a file; missing ones are counted separately. */
  readonly total: number;
  /** Those of them without waiting work. */
  readonly done: number;
  /** Documents that are found by their words. */
  readonly searchable: number;
  /** Those of them that are found by their meaning too. */
  readonly byMeaning: number;
  /** Null where chunks are not counted. */
  readonly chunks: number | null;
  readonly states: readonly { readonly name: string; readonly documents: number }[];
  /** Documents per second; null while it is unknown. */
  readonly perSecond: number | null;
  /** Seconds until no work waits; null while it is unknown. */
  readonly secondsLeft: number | null;
}

/** The pace is measured over this window: older figures say little about the present pace. */
const WINDOW_MS = 60_000;
/** A shorter measurement is not significant. */
const SHORTEST_MS = 2_000;

/** How fast documents are completed. Times are parameters, so this class reads no clock. */
export class Pace {
  private samples: readonly { readonly at: number; readonly done: number }[] = [];

  /** @param at milliseconds of a monotonic clock; @param done documents without waiting work */
  note(at: number, done: number): void {
    this.samples = [...this.samples.filter((sample) => at - sample.at <= WINDOW_MS), { at, done }];
  }

  /** Documents per second; null before the first measurement, and while no document is completed. */
  get perSecond(): number | null {
    const [first, last] = [this.samples[0], this.samples.at(-1)];
    if (first === undefined || last === undefined || last.at - first.at < SHORTEST_MS) return null;
    const rate = ((last.done - first.done) * 1_000) / (last.at - first.at);
    return rate > 0 ? rate : null;
  }
}

/** The counts of the documents of a group, or of several. */
export type Counts = Pick<IngestionProgress, 'counts' | 'waiting' | 'searchable' | 'chunks'>;

/** Adds the counts of several groups up. */
export const together = (all: readonly Counts[]): Counts => {
  const counts = new Map<StatusCount['status'], number>();
  for (const { status, documents } of all.flatMap((each) => each.counts))
    counts.set(status, (counts.get(status) ?? 0) + documents);
  return {
    counts: [...counts].map(([status, documents]) => ({ status, documents })),
    waiting: all.reduce((total, { waiting }) => total + waiting, 0),
    searchable: all.reduce((total, { searchable }) => total + searchable, 0),
    chunks: all.reduce((total, { chunks }) => total + chunks, 0),
  };
};

const sum = (counts: readonly StatusCount[]): number => counts.reduce((total, { documents }) => total + documents, 0);

export const figuresOf = ({ counts, waiting, searchable, chunks }: Counts, pace: number | null = null): Figures => {
  const total = sum(counts.filter(({ status }) => status !== 'NO_ENCONTRADO'));
  return {
    total,
    done: total - waiting,
    searchable,
    byMeaning: sum(counts.filter(({ status }) => status === 'VECTORIZADO')),
    chunks,
    states: counts.map(({ status, documents }) => ({
      name: documentStatus.toPublic(status).toLowerCase(),
      documents,
    })),
    perSecond: pace,
    secondsLeft: pace === null ? null : Math.ceil(waiting / pace),
  };
};
