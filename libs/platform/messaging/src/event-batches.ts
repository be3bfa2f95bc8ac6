import { readTraceparent, type TraceContext } from '@acervo/platform-observability';
import type { Incoming } from './incoming-events';

/** Events that are handled in one transaction: of one topic and group. */
export type EventBatch = readonly [Incoming, ...Incoming[]];

export const keyOf = ({ group_id, event_key }: Incoming): string => `${group_id}:${event_key}`;

/** The trace of events that have one in common, under the span of the first. */
export const sharedTrace = (events: readonly Pick<Incoming, 'trace'>[]): TraceContext | undefined => {
  const [first, ...others] = events.map(({ trace }) => readTraceparent(trace));
  return others.every((trace) => trace?.traceId === first?.traceId) ? first : undefined;
};

/**
 * Gathers events into batches, which are handled in this order. Events of one key keep their order; events of different
 * keys may change places. An event that failed before is alone.
 * @param events in the order of their arrival
 * @param mostOf most events of a batch, by topic
 */
export const batchesOf = (events: readonly Incoming[], mostOf: (topic: string) => number): EventBatch[] => {
  const batches: [Incoming, ...Incoming[]][] = [];
  /** Place of the last batch with events of a key. */
  const last = new Map<string, number>();
  /** Place of the last batch of a topic and group. */
  const open = new Map<string, number>();
  for (const event of events) {
    const { topic, group_id: group, attempts, deaths } = event;
    const most = attempts > 0 || deaths > 0 ? 1 : mostOf(topic);
    const place = open.get(`${topic} ${group}`) ?? -1;
    const batch = batches[place];
    if (batch !== undefined && batch.length < most && place >= (last.get(keyOf(event)) ?? 0)) {
      batch.push(event);
      last.set(keyOf(event), place);
    } else {
      last.set(keyOf(event), batches.push([event]) - 1);
      if (most > 1) open.set(`${topic} ${group}`, batches.length - 1);
    }
  }
  return batches;
};

/**
 * Parts of a list with at most one item of each key, in order. A set-based statement writes a row once: of two events
 * about one row, it would take either.
 */
export const onePerKey = <T>(items: readonly T[], keyIn: (item: T) => string): readonly (readonly T[])[] => {
  const parts: T[][] = [];
  const seen = new Map<string, number>();
  for (const item of items) {
    const place = seen.get(keyIn(item)) ?? 0;
    seen.set(keyIn(item), place + 1);
    (parts[place] ??= []).push(item);
  }
  return parts;
};

/** What a transaction of a batch should take: on one machine no request is served meanwhile. */
const GOAL_MS = 25;
const FIRST = 16;

/** How many events of a topic fit into a short transaction, by what the last ones took. */
export class BatchSizes {
  private readonly sizes = new Map<string, number>();

  of(topic: string, most: number): number {
    return Math.min(most, this.sizes.get(topic) ?? FIRST);
  }

  /** Learns from a batch; the size at most doubles or halves each time. */
  took(topic: string, events: number, ms: number): void {
    const size = this.sizes.get(topic) ?? FIRST;
    const fitting = Math.floor((events * GOAL_MS) / Math.max(ms, 0.1));
    if (fitting < size) this.sizes.set(topic, Math.max(1, fitting, Math.floor(size / 2)));
    else if (events >= size) this.sizes.set(topic, Math.min(fitting, size * 2, 1_024));
  }
}
