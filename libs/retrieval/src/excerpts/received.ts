import type { Range } from '@acervo/analysis';

const HOUR_MS = 3_600_000;
/** A document is collected when a user has received this share of its text within an hour. */
const SHARE = 0.8;
const MOST_USERS = 1_000;
const MOST_DOCUMENTS = 2_000;

/** Disjoint ranges in order, with another range. */
export const united = (ranges: readonly Range[], added: Range): Range[] => {
  const touches = ({ start, end }: Range): boolean => start <= added.end && end >= added.start;
  const touching = ranges.filter(touches);
  const joined = {
    start: Math.min(added.start, ...touching.map(({ start }) => start)),
    end: Math.max(added.end, ...touching.map(({ end }) => end)),
  };
  return [...ranges.filter((range) => !touches(range)), joined].sort((a, b) => a.start - b.start);
};

/** Parts of the text of one document that one user received. */
export interface Receipt {
  readonly user: string;
  readonly document: string;
  readonly characters: number;
  readonly ranges: readonly Range[];
}

/** What a user received since the beginning of an hour; null for a document that is counted. */
interface Hour {
  readonly since: number;
  readonly documents: Map<string, readonly Range[] | null>;
  collected: number;
}

const evictOldest = (map: Map<string, unknown>, most: number): void => {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
};

/** The parts of documents that users received within an hour, in bounded memory. */
export class Received {
  private readonly users = new Map<string, Hour>();

  /**
   * Adds what a user received at a time. Returns how many documents the user has collected in the hour if this one is
   * the last of them, else 0.
   */
  add({ user, document, characters, ranges }: Receipt, now: number): number {
    const hour = this.hourOf(user, now);
    const earlier = hour.documents.get(document);
    if (earlier === null) return 0;
    const all = ranges.reduce<readonly Range[]>(united, earlier ?? []);
    const isCollected = all.reduce((sum, { start, end }) => sum + end - start, 0) >= SHARE * characters;
    hour.documents.set(document, isCollected ? null : all);
    evictOldest(hour.documents, MOST_DOCUMENTS);
    if (!isCollected) return 0;
    hour.collected += 1;
    return hour.collected;
  }

  private hourOf(user: string, now: number): Hour {
    const current = this.users.get(user);
    if (current !== undefined && now - current.since < HOUR_MS) return current;
    const hour = { since: now, documents: new Map(), collected: 0 };
    this.users.delete(user);
    this.users.set(user, hour);
    evictOldest(this.users, MOST_USERS);
    return hour;
  }
}
