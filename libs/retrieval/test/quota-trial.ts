import { randomUUID } from 'node:crypto';
import { QuotaExceeded, type SearchRequest } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { WITHOUT_LIMITS } from '@acervo/platform-testing';
import { LexicalIndex, type RankedChunk, type RankedVector, VectorIndex } from '../src/legs/ranking';
import { QuotaClock } from '../src/quota/quota';
import { type Reservation, QuotaStore } from '../src/quota/quota.store';
import { handOver, userScope } from './documents';
import { openRetrieval, type ReplacedLegs, type Retrieval, type Settings } from './support';

class NoLexicalIndex extends LexicalIndex {
  readonly engine = 'test';
  rank = (): Promise<readonly RankedChunk[]> => Promise.reject(new Error('The lexical leg is down.'));
}

class NoVectorIndex extends VectorIndex {
  readonly engine = 'test';
  rank = (): Promise<readonly RankedVector[]> => Promise.reject(new Error('The vector leg is down.'));
}

export const down: ReplacedLegs = { lexical: new NoLexicalIndex(), vector: new NoVectorIndex() };
export const store = new QuotaStore();
export const NOON = Date.UTC(2026, 10, 10, 12);

/** A clock that a test moves. */
class MovedClock extends QuotaClock {
  at = NOON;
  /** How far it goes on by itself with each reading. */
  step = 0;
  override now(): number {
    this.at += this.step;
    return this.at;
  }
}

export const outcomes = async (
  searches: readonly Promise<unknown>[],
): Promise<{ answered: number; refused: number }> => {
  const settled = await Promise.allSettled(searches);
  const refused = settled.filter((each) => each.status === 'rejected' && each.reason instanceof QuotaExceeded).length;
  return { answered: settled.filter(({ status }) => status === 'fulfilled').length, refused };
};

/** A group with one document, whose searches are counted by a clock of the test. */
export class QuotaTrial {
  groupId = randomUUID();

  private constructor(
    readonly retrieval: Retrieval,
    readonly clock: MovedClock,
  ) {}

  static async open(): Promise<QuotaTrial> {
    const clock = new MovedClock();
    const override: NonNullable<Settings['override']> = (builder) =>
      builder.overrideProvider(QuotaClock).useValue(clock);
    return new QuotaTrial(await openRetrieval({ environment: WITHOUT_LIMITS, override }), clock);
  }

  close(): Promise<void> {
    return this.retrieval.close();
  }

  /** Goes on with another group, at noon. */
  async begin(): Promise<void> {
    Object.assign(this.clock, { at: NOON, step: 0 });
    this.groupId = randomUUID();
    const texts = ['El depósito de agua se amplía.'];
    await handOver(this.retrieval, { groupId: this.groupId, code: 'AGUA', texts });
  }

  /** Sets the quota of a group, and how much of it is used. */
  include(included: number | null, used = 0, group = this.groupId): Promise<unknown> {
    return this.retrieval.database.write({ groupId: group }, (tx) =>
      tx.query(
        `insert into retrieval.allowance (group_id, included, used, period_start) values ($1, $2, $3, '2026-11-01')
         on conflict (group_id) do update set included = excluded.included, used = excluded.used`,
        [group, included, used],
      ),
    );
  }

  async counted(group = this.groupId): Promise<{ used: number; held: number }> {
    const [row] = await this.retrieval.database.read({ groupId: group }, (tx) =>
      tx.query<{ used: number; held: number }>(
        `select coalesce((select used from retrieval.allowance), 0) as used,
           (select count(*)::int from retrieval.taking) as held`,
      ),
    );
    return row ?? { used: -1, held: -1 };
  }

  search(over: Partial<SearchRequest> = {}, legs?: ReplacedLegs, group = this.groupId): Promise<unknown> {
    const request = { query: 'agua', limit: 1, minSimilarity: 0, ...over };
    return this.retrieval.searchWith(legs).search(userScope(group), request);
  }

  reserveOne(tx: Transaction): Promise<Reservation | undefined> {
    return store.reserve(tx, { reservationId: randomUUID(), entityCode: null, now: this.clock.at });
  }
}
