import { randomUUID } from 'node:crypto';
import {
  NotFound,
  type PlanAssigned,
  QuotaExceeded,
  refundRetrieval,
  type RetrievalUsage,
  type ScopeClaims,
  type SearchRequest,
} from '@acervo/contracts';
import { leavingWithin } from '@acervo/platform-calls';
import { Database, type Transaction } from '@acervo/platform-database';
import { WITHOUT_LIMITS } from '@acervo/platform-testing';
import { WorkScope } from '@acervo/rbac';
import { PlanConsumer } from '../src/quota/plan.consumer';
import { periodAt } from '../src/quota/period';
import { QuotaClock } from '../src/quota/quota';
import { QuotaStore } from '../src/quota/quota.store';
import { RetrievalRefundHandlers } from '../src/quota/retrieval-refund.handlers';
import { RetrievalUsageHandlers } from '../src/quota/retrieval-usage.handlers';
import { LexicalIndex, type RankedChunk, type RankedVector, VectorIndex } from '../src/legs/ranking';
import { SearchUnavailable } from '../src/search/search.errors';
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

const down: ReplacedLegs = { lexical: new NoLexicalIndex(), vector: new NoVectorIndex() };
const store = new QuotaStore();
const NOON = Date.UTC(2026, 10, 10, 12);
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
const clock = new MovedClock();
let retrieval: Retrieval;
let groupId: string;

beforeAll(async () => {
  const override: NonNullable<Settings['override']> = (builder) => builder.overrideProvider(QuotaClock).useValue(clock);
  retrieval = await openRetrieval({ environment: WITHOUT_LIMITS, override });
});
afterAll(() => retrieval.close());
beforeEach(async () => {
  Object.assign(clock, { at: NOON, step: 0 });
  groupId = randomUUID();
  await handOver(retrieval, { groupId, code: 'AGUA', texts: ['El depósito de agua se amplía.'] });
});

/** Sets the quota of a group, and how much of it is used. */
const include = (included: number | null, used = 0, group = groupId): Promise<unknown> =>
  retrieval.database.write({ groupId: group }, (tx) =>
    tx.query(
      `insert into retrieval.allowance (group_id, included, used, period_start) values ($1, $2, $3, '2026-11-01')
       on conflict (group_id) do update set included = excluded.included, used = excluded.used`,
      [group, included, used],
    ),
  );
const counted = async (group = groupId): Promise<{ used: number; held: number }> => {
  const [row] = await retrieval.database.read({ groupId: group }, (tx) =>
    tx.query<{ used: number; held: number }>(
      `select coalesce((select used from retrieval.allowance), 0) as used,
         (select count(*)::int from retrieval.taking) as held`,
    ),
  );
  return row ?? { used: -1, held: -1 };
};
const search = (over: Partial<SearchRequest> = {}, legs?: ReplacedLegs, group = groupId): Promise<unknown> =>
  retrieval.searchWith(legs).search(userScope(group), { query: 'agua', limit: 1, minSimilarity: 0, ...over });

const reserveOne = (tx: Transaction) =>
  store.reserve(tx, { reservationId: randomUUID(), entityCode: null, now: clock.at });

const outcomes = async (searches: readonly Promise<unknown>[]): Promise<{ answered: number; refused: number }> => {
  const settled = await Promise.allSettled(searches);
  const refused = settled.filter((each) => each.status === 'rejected' && each.reason instanceof QuotaExceeded).length;
  return { answered: settled.filter(({ status }) => status === 'fulfilled').length, refused };
};

describe('the retrievals of a group', () => {
  it('concurrent searches get exactly the remaining retrievals', async () => {
    for (let round = 1; round <= 5; round += 1) {
      await include(40, 30);
      const asked = Array.from({ length: 200 }, () => search());
      expect([round, await outcomes(asked)]).toEqual([round, { answered: 10, refused: 190 }]);
      expect(await counted()).toEqual({ used: 40, held: 0 });
    }
  });

  it('the last search of a period asks for a person', async () => {
    await include(3);
    const requests = async (): Promise<unknown[]> =>
      retrieval.db.asOwner('retrieval', `select payload from retrieval.outbox where group_id = $1 and topic = $2`, [
        groupId,
        'process.requested.v1',
      ]);
    for (let searches = 0; searches < 2; searches += 1) await search();
    expect(await requests()).toEqual([]);
    await search();
    await expect(search()).rejects.toThrow(QuotaExceeded);
    expect(await requests()).toHaveLength(1);
  });

  it('failing searches leave the count exact: only answers are counted', async () => {
    await include(10);
    const asked = Array.from({ length: 120 }, (_, index) => search({}, index % 3 === 0 ? undefined : down));
    const { answered } = await outcomes(asked);
    expect(answered).toBeLessThanOrEqual(10);
    expect(await counted()).toEqual({ used: answered, held: 0 });
    for (let left = 10 - answered; left > 0; left -= 1) await search();
    await expect(search()).rejects.toThrow(QuotaExceeded);
  });

  it.each([null, undefined])('without a limit (%s) retrievals are counted and never refused', async (included) => {
    if (included === null) await include(included);
    expect(await outcomes(Array.from({ length: 20 }, () => search()))).toEqual({ answered: 20, refused: 0 });
    expect(await counted()).toEqual({ used: 20, held: 0 });
    await expect(search({}, down)).rejects.toThrow(SearchUnavailable);
    expect(await counted()).toEqual({ used: 20, held: 0 });
  });

  it('empty results are counted; a search in a missing place is not', async () => {
    await include(3);
    await search({ filter: { documentTypes: ['NADA'] } });
    await expect(search({ locationCode: 'NADA' })).rejects.toThrow(NotFound);
    await expect(search({ spaceId: 1 })).rejects.toThrow(NotFound);
    expect(await counted()).toEqual({ used: 1, held: 0 });
  });

  it('a missing place answers NOT_FOUND even without remaining quota', async () => {
    await include(0);
    await expect(search({ locationCode: 'NADA' })).rejects.toThrow(NotFound);
    await expect(search()).rejects.toThrow(QuotaExceeded);
  });

  it('an explanation takes no retrieval', async () => {
    await include(0);
    const request = { query: 'agua', limit: 1, minSimilarity: 0 };
    expect((await retrieval.explainWith().explain(userScope(groupId), request)).documents).toHaveLength(1);
  });

  it('a cancelled search refunds its retrieval', async () => {
    await include(1);
    await leavingWithin(-1, () => search());
    expect(await counted()).toEqual({ used: 0, held: 0 });
    await search();
  });

  it('reservations of a dead process are refunded after they expire', async () => {
    await include(2);
    const answers = await Promise.all([1, 2].map(() => retrieval.database.write({ groupId }, (tx) => reserveOne(tx))));
    expect(answers.map((answer) => answer?.state)).toEqual(['held', 'held']);
    await expect(search()).rejects.toThrow(QuotaExceeded);
    await retrieval.database.write({ groupId }, (tx) =>
      tx.query(`update retrieval.taking set taken_at = now() - interval '2 minutes'`),
    );
    expect(await outcomes(Array.from({ length: 20 }, () => search()))).toEqual({ answered: 2, refused: 18 });
    expect(await counted()).toEqual({ used: 2, held: 0 });
  });

  it('a group never uses the quota of another', async () => {
    const other = randomUUID();
    await handOver(retrieval, { groupId: other, code: 'AGUA', texts: ['Otro depósito de agua.'] });
    await include(0);
    await include(5, 0, other);
    await expect(search()).rejects.toThrow(QuotaExceeded);
    await search({}, undefined, other);
    expect([await counted(), await counted(other)]).toEqual([
      { used: 0, held: 0 },
      { used: 1, held: 0 },
    ]);
    const trespass = retrieval.database.write({ groupId }, (tx) =>
      tx.query('update retrieval.allowance set included = 0 where group_id = $1 returning used', [other]),
    );
    expect(await trespass).toEqual([]);
    await search({}, undefined, other);
  });
});

describe('the plan of a group', () => {
  const plan = (more: Partial<PlanAssigned> = {}): PlanAssigned => ({
    ...{ revision: 1, planCode: 'BASIC', startDay: 1 },
    quotas: [{ feature: 'RETRIEVALS', included: 10, onLimit: 'BLOCK' }],
    ...more,
  });
  const assign = async (more?: Partial<PlanAssigned>): Promise<void> => {
    const consumer = await retrieval.provider(PlanConsumer);
    const scope = new WorkScope(groupId, 'operations', 'test');
    await retrieval.database.write(scope, (tx) => consumer.apply(scope, tx, plan(more)));
  };
  const retrievals = (included: number | null, onLimit: 'ALLOW' | 'BLOCK' = 'BLOCK') => ({
    quotas: [{ feature: 'RETRIEVALS' as const, included, onLimit }],
  });
  const usage = async (scope = userScope(groupId)): Promise<RetrievalUsage> =>
    (await retrieval.provider(RetrievalUsageHandlers)).usage(scope, {});
  const countOf = async (day: string): Promise<number> => {
    const [row] = await retrieval.database.read({ groupId }, (tx) =>
      tx.query<{ used: number }>(
        `select coalesce(sum(used), 0)::int as used from retrieval.retrieval_count where period_start = $1::date`,
        [day],
      ),
    );
    return row?.used ?? -1;
  };
  const searchAs = (more: Partial<ScopeClaims>, request: Partial<SearchRequest> = {}): Promise<unknown> => {
    return retrieval
      .searchWith()
      .search(userScope(groupId, more), { query: 'agua', limit: 1, minSimilarity: 0, ...request });
  };

  it('concurrent searches around midnight are counted in one period each, exactly', async () => {
    await assign();
    Object.assign(clock, { at: Date.UTC(2026, 11, 1) - 101, step: 1 });
    const { answered } = await outcomes(Array.from({ length: 200 }, () => search()));
    clock.step = 0;
    const counts = await Promise.all([countOf('2026-11-01'), countOf('2026-12-01')]);
    expect(counts[0] + counts[1]).toBe(answered);
    expect(counts[0]).toBeLessThanOrEqual(10);
    expect([counts[1], (await usage()).used]).toEqual([10, 10]);
    await expect(search()).rejects.toThrow(QuotaExceeded);
  });

  it('a retrieval that fails after midnight is refunded into its own period', async () => {
    await assign();
    clock.at = Date.UTC(2026, 11, 1) - 1;
    await search();
    const late = await retrieval.database.write({ groupId }, reserveOne);
    clock.at += 1;
    await search();
    await search();
    if (late !== undefined) await retrieval.database.write({ groupId }, (tx) => store.refund(tx, late));
    expect([await countOf('2026-11-01'), await countOf('2026-12-01'), (await usage()).used]).toEqual([1, 2, 2]);
  });

  it('a retrieval whose answer failed later is refunded into its own period', async () => {
    await assign();
    clock.at = Date.UTC(2026, 11, 1) - 1;
    const retrievedAt = new Date(clock.at).toISOString();
    await search();
    clock.at += 1;
    await search();
    const scope = new WorkScope(groupId, 'chat', 'test');
    const { activeEntity, entities } = userScope(groupId);
    const refund = { retrievedAt, activeEntity, entities };
    const context = retrieval.writing(refundRetrieval, scope, refund);
    await (await retrieval.provider(RetrievalRefundHandlers)).refund(scope, refund, context);
    expect([await countOf('2026-11-01'), await countOf('2026-12-01'), (await usage()).used]).toEqual([0, 1, 1]);
  });

  it('the first plan of a group begins in the period of the clock', async () => {
    clock.at = Date.UTC(2020, 1, 20);
    await assign({ startDay: 15 });
    expect(await usage()).toMatchObject({ periodStart: '2020-02-15', periodEnd: '2020-03-14', used: 0 });
    await search();
    expect([await countOf('2020-02-15'), (await usage()).used]).toEqual([1, 1]);
  });

  it.each(Array.from({ length: 28 }, (_, index) => index + 1))(
    'store and usage agree on the period that begins on day %i',
    async (startDay) => {
      // The end of a year, and a February of 29 days.
      const days = [10, 11, 12, 13, 14].flatMap((month) => [1, startDay].map((day) => Date.UTC(2027, month, day)));
      const moments = days.flatMap((day) => [day - 1, day]).toSorted((one, other) => one - other);
      const starts = await retrieval.database.write({ groupId: randomUUID() }, async (tx) => {
        const planned = { planCode: 'BASIC', revision: 1, included: null, onLimit: 'ALLOW', startDay } as const;
        await store.apply(tx, planned, moments[0] ?? 0);
        const found = [(await store.find(tx))?.periodStart];
        for (const now of moments) {
          const reserved = await store.reserve(tx, { reservationId: randomUUID(), entityCode: null, now });
          found.push(reserved?.periodStart);
        }
        return found;
      });
      const [first = '', ...others] = moments.map((now) => periodAt(now, startDay).periodStart);
      expect(starts).toEqual([first, first, ...others]);
    },
  );

  it('a used-up quota is whole again in the next period', async () => {
    await assign(retrievals(1));
    await search();
    await expect(search()).rejects.toThrow(QuotaExceeded);
    clock.at = Date.UTC(2026, 11, 1);
    await search();
    await expect(search()).rejects.toThrow(QuotaExceeded);
  });

  it('a process whose clock is behind counts into the later period', async () => {
    await assign(retrievals(2));
    clock.at = Date.UTC(2026, 11, 1);
    await search();
    clock.at = NOON;
    await search();
    await expect(search()).rejects.toThrow(QuotaExceeded);
    expect(await usage()).toMatchObject({ periodStart: '2026-12-01', used: 2 });
  });

  it('another plan keeps what was counted, and an earlier event changes nothing', async () => {
    await assign(retrievals(1));
    await search();
    await expect(search()).rejects.toThrow(QuotaExceeded);
    await assign({ ...retrievals(3), revision: 3, planCode: 'MORE' });
    await assign({ ...retrievals(1), revision: 2 });
    await search();
    expect(await usage()).toMatchObject({ planCode: 'MORE', included: 3, used: 2 });
  });

  it.each([
    [5, '2026-11-05'],
    [20, '2026-11-01'],
  ])('a plan that begins on day %i keeps what the running period used', async (startDay, periodStart) => {
    await assign(retrievals(2));
    await searchAs({ entities: ['E1'], activeEntity: 'E1' });
    await assign({ ...retrievals(2), revision: 2, startDay });
    expect(await usage(userScope(groupId, { entities: ['E1'] }))).toMatchObject({
      ...{ periodStart, used: 1 },
      byEntity: [
        { entityCode: 'E1', used: 1 },
        { entityCode: null, used: 0 },
      ],
    });
    await search();
    await expect(search()).rejects.toThrow(QuotaExceeded);
    clock.at = Date.UTC(2026, 11, startDay);
    expect(await usage()).toMatchObject({ periodStart: `2026-12-${String(startDay).padStart(2, '0')}`, used: 0 });
  });

  it.each([
    [2, 'held'],
    [null, 'settled'],
  ])('with %s included another start day moves open retrievals and no earlier count', async (included, state) => {
    await assign(retrievals(included));
    await search();
    clock.at = Date.UTC(2026, 11, 10);
    await assign({ ...retrievals(included), revision: 2, startDay: 5 });
    expect(await usage()).toMatchObject({ periodStart: '2026-12-05', used: 0 });
    const open = await retrieval.database.write({ groupId }, reserveOne);
    expect(open?.state).toBe(state);
    await assign({ ...retrievals(included), revision: 3, startDay: 8 });
    expect(await usage()).toMatchObject({ periodStart: '2026-12-08', used: 1 });
    if (open !== undefined) await retrieval.database.write({ groupId }, (tx) => store.refund(tx, open));
    expect([await countOf('2026-11-01'), await countOf('2026-12-08'), (await usage()).used]).toEqual([1, 0, 0]);
  });

  it('a plan that allows more counts and never refuses', async () => {
    await assign(retrievals(1, 'ALLOW'));
    expect(await outcomes(Array.from({ length: 5 }, () => search()))).toEqual({ answered: 5, refused: 0 });
    await expect(search({}, down)).rejects.toThrow(SearchUnavailable);
    expect(await usage()).toMatchObject({ included: 1, onLimit: 'ALLOW', used: 5 });
  });

  it('a retrieval counts for the named entity, else the one in focus, else the first', async () => {
    await assign();
    const entities = ['E3', 'E1', 'E2'];
    await searchAs({ entities, activeEntity: 'E2' });
    await searchAs({ entities, activeEntity: null });
    await searchAs({ entities, activeEntity: null }, { entityCode: 'E3' });
    await searchAs({ entities, activeEntity: null }, { entityCode: 'E3' });
    await searchAs({ entities: [], activeEntity: null });
    const of = (codes: readonly string[]) => usage(userScope(groupId, { entities: codes }));
    expect((await of(entities)).byEntity).toEqual([
      { entityCode: 'E1', used: 1 },
      { entityCode: 'E2', used: 1 },
      { entityCode: 'E3', used: 2 },
      { entityCode: null, used: 1 },
    ]);
    expect(await of(['E2'])).toMatchObject({
      used: 5,
      byEntity: [
        { entityCode: 'E2', used: 1 },
        { entityCode: null, used: 1 },
      ],
    });
  });

  it('a search between the statements of a reading never shows in a part of the usage', async () => {
    await assign();
    const focused = { entities: ['E1'], activeEntity: 'E1' };
    await searchAs(focused);
    const database = await retrieval.provider(Database);
    const query: Transaction['query'] = async (sql, params) => {
      const rows = await retrieval.database.read({ groupId }, (tx) => tx.query(sql, params));
      await searchAs(focused);
      return rows as never;
    };
    jest.spyOn(database, 'read').mockImplementationOnce((_scope, read) => read({ groupId, query, prepared: query }));
    const { used, byEntity } = await usage(userScope(groupId, focused));
    expect([used, byEntity[0]]).toEqual([1, { entityCode: 'E1', used: 1 }]);
  });

  it('a limit from before plans goes on in the running month', async () => {
    await include(3, 2);
    await search();
    await expect(search()).rejects.toThrow(QuotaExceeded);
    expect(await usage()).toMatchObject({ planCode: 'EARLIER-LIMIT', included: 3, used: 3, periodEnd: '2026-11-30' });
  });

  it('without plan and limit nothing is refused', async () => {
    expect(await usage()).toMatchObject({ planCode: null, included: null, used: 0, periodStart: '2026-11-01' });
  });

  it('another group has another plan', async () => {
    await assign(retrievals(0));
    await expect(search()).rejects.toThrow(QuotaExceeded);
    expect(await usage(userScope(randomUUID()))).toMatchObject({ planCode: null, included: null });
  });
});
