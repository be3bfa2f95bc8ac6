import { randomUUID } from 'node:crypto';
import {
  periodAt,
  type PlanAssigned,
  QuotaExceeded,
  refundRetrieval,
  type RetrievalUsage,
  type ScopeClaims,
  type SearchRequest,
} from '@acervo/contracts';
import { Database, type Transaction } from '@acervo/platform-database';
import { WorkScope } from '@acervo/rbac';
import { PlanConsumer } from '../src/quota/plan.consumer';
import { RetrievalRefundHandlers } from '../src/quota/retrieval-refund.handlers';
import { RetrievalUsageHandlers } from '../src/quota/retrieval-usage.handlers';
import { SearchUnavailable } from '../src/search/search.errors';
import { userScope } from './documents';
import { down, NOON, outcomes, store, QuotaTrial } from './quota-trial';

let trial: QuotaTrial;
beforeAll(async () => {
  trial = await QuotaTrial.open();
});
afterAll(() => trial.close());
beforeEach(() => trial.begin());

describe('the plan of a group', () => {
  const plan = (more: Partial<PlanAssigned> = {}): PlanAssigned => ({
    ...{ revision: 1, planCode: 'BASIC', startDay: 1 },
    quotas: [{ feature: 'RETRIEVALS', included: 10, onLimit: 'BLOCK' }],
    ...more,
  });
  const assign = async (more?: Partial<PlanAssigned>): Promise<void> => {
    const consumer = await trial.retrieval.provider(PlanConsumer);
    const scope = new WorkScope(trial.groupId, 'operations', 'test');
    await trial.retrieval.database.write(scope, (tx) => consumer.apply(scope, tx, plan(more)));
  };
  const retrievals = (included: number | null, onLimit: 'ALLOW' | 'BLOCK' = 'BLOCK') => ({
    quotas: [{ feature: 'RETRIEVALS' as const, included, onLimit }],
  });
  const usage = async (scope = userScope(trial.groupId)): Promise<RetrievalUsage> =>
    (await trial.retrieval.provider(RetrievalUsageHandlers)).usage(scope, {});
  const countOf = async (day: string): Promise<number> => {
    const [row] = await trial.retrieval.database.read({ groupId: trial.groupId }, (tx) =>
      tx.query<{ used: number }>(
        `select coalesce(sum(used), 0)::int as used from retrieval.retrieval_count where period_start = $1::date`,
        [day],
      ),
    );
    return row?.used ?? -1;
  };
  const searchAs = (more: Partial<ScopeClaims>, request: Partial<SearchRequest> = {}): Promise<unknown> => {
    const query = { query: 'agua', limit: 1, minSimilarity: 0, ...request };
    return trial.retrieval.searchWith().search(userScope(trial.groupId, more), query);
  };

  it('concurrent searches around midnight are counted in one period each, exactly', async () => {
    await assign();
    Object.assign(trial.clock, { at: Date.UTC(2026, 11, 1) - 101, step: 1 });
    const { answered } = await outcomes(Array.from({ length: 200 }, () => trial.search()));
    trial.clock.step = 0;
    const counts = await Promise.all([countOf('2026-11-01'), countOf('2026-12-01')]);
    expect(counts[0] + counts[1]).toBe(answered);
    expect(counts[0]).toBeLessThanOrEqual(10);
    expect([counts[1], (await usage()).used]).toEqual([10, 10]);
    await expect(trial.search()).rejects.toThrow(QuotaExceeded);
  });

  it('a retrieval that fails after midnight is refunded into its own period', async () => {
    await assign();
    trial.clock.at = Date.UTC(2026, 11, 1) - 1;
    await trial.search();
    const late = await trial.retrieval.database.write({ groupId: trial.groupId }, (tx) => trial.reserveOne(tx));
    trial.clock.at += 1;
    await trial.search();
    await trial.search();
    if (late !== undefined)
      await trial.retrieval.database.write({ groupId: trial.groupId }, (tx) => store.refund(tx, late));
    expect([await countOf('2026-11-01'), await countOf('2026-12-01'), (await usage()).used]).toEqual([1, 2, 2]);
  });

  it('a retrieval whose answer failed later is refunded into its own period', async () => {
    await assign();
    trial.clock.at = Date.UTC(2026, 11, 1) - 1;
    const retrievedAt = new Date(trial.clock.at).toISOString();
    await trial.search();
    trial.clock.at += 1;
    await trial.search();
    const scope = new WorkScope(trial.groupId, 'chat', 'test');
    const { activeEntity, entities } = userScope(trial.groupId);
    const refund = { retrievedAt, activeEntity, entities };
    const context = trial.retrieval.writing(refundRetrieval, scope, refund);
    await (await trial.retrieval.provider(RetrievalRefundHandlers)).refund(scope, refund, context);
    expect([await countOf('2026-11-01'), await countOf('2026-12-01'), (await usage()).used]).toEqual([0, 1, 1]);
  });

  it('a retrieval is refunded to the entity that its search named', async () => {
    await assign();
    const claims = { entities: ['E1', 'E3'], activeEntity: null };
    await searchAs(claims);
    await searchAs(claims, { entityCode: 'E3' });
    const scope = new WorkScope(trial.groupId, 'chat', 'test');
    const refund = { retrievedAt: new Date(trial.clock.at).toISOString(), ...claims, entityCode: 'E3' };
    const context = trial.retrieval.writing(refundRetrieval, scope, refund);
    await (await trial.retrieval.provider(RetrievalRefundHandlers)).refund(scope, refund, context);
    const { used, byEntity } = await usage(userScope(trial.groupId, claims));
    expect([used, byEntity.filter((each) => each.used > 0)]).toEqual([1, [{ entityCode: 'E1', used: 1 }]]);
  });

  it('the first plan of a group begins in the period of the clock', async () => {
    trial.clock.at = Date.UTC(2020, 1, 20);
    await assign({ startDay: 15 });
    expect(await usage()).toMatchObject({ periodStart: '2020-02-15', periodEnd: '2020-03-14', used: 0 });
    await trial.search();
    expect([await countOf('2020-02-15'), (await usage()).used]).toEqual([1, 1]);
  });

  it.each(Array.from({ length: 28 }, (_, index) => index + 1))(
    'store and usage agree on the period that begins on day %i',
    async (startDay) => {
      // The end of a year, and a February of 29 days.
      const days = [10, 11, 12, 13, 14].flatMap((month) => [1, startDay].map((day) => Date.UTC(2027, month, day)));
      const moments = days.flatMap((day) => [day - 1, day]).toSorted((one, other) => one - other);
      const starts = await trial.retrieval.database.write({ groupId: randomUUID() }, async (tx) => {
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
    await trial.search();
    await expect(trial.search()).rejects.toThrow(QuotaExceeded);
    trial.clock.at = Date.UTC(2026, 11, 1);
    await trial.search();
    await expect(trial.search()).rejects.toThrow(QuotaExceeded);
  });

  it('a process whose clock is behind counts into the later period', async () => {
    await assign(retrievals(2));
    trial.clock.at = Date.UTC(2026, 11, 1);
    await trial.search();
    trial.clock.at = NOON;
    await trial.search();
    await expect(trial.search()).rejects.toThrow(QuotaExceeded);
    expect(await usage()).toMatchObject({ periodStart: '2026-12-01', used: 2 });
  });

  it('another plan keeps what was counted, and an earlier event changes nothing', async () => {
    await assign(retrievals(1));
    await trial.search();
    await expect(trial.search()).rejects.toThrow(QuotaExceeded);
    await assign({ ...retrievals(3), revision: 3, planCode: 'MORE' });
    await assign({ ...retrievals(1), revision: 2 });
    await trial.search();
    expect(await usage()).toMatchObject({ planCode: 'MORE', included: 3, used: 2 });
  });

  it.each([
    [5, '2026-11-05'],
    [20, '2026-11-01'],
  ])('a plan that begins on day %i keeps what the running period used', async (startDay, periodStart) => {
    await assign(retrievals(2));
    await searchAs({ entities: ['E1'], activeEntity: 'E1' });
    await assign({ ...retrievals(2), revision: 2, startDay });
    expect(await usage(userScope(trial.groupId, { entities: ['E1'] }))).toMatchObject({
      ...{ periodStart, used: 1 },
      byEntity: [
        { entityCode: 'E1', used: 1 },
        { entityCode: null, used: 0 },
      ],
    });
    await trial.search();
    await expect(trial.search()).rejects.toThrow(QuotaExceeded);
    trial.clock.at = Date.UTC(2026, 11, startDay);
    expect(await usage()).toMatchObject({ periodStart: `2026-12-${String(startDay).padStart(2, '0')}`, used: 0 });
  });

  it.each([
    [2, 'held'],
    [null, 'settled'],
  ])('with %s included another start day moves open retrievals and no earlier count', async (included, state) => {
    await assign(retrievals(included));
    await trial.search();
    trial.clock.at = Date.UTC(2026, 11, 10);
    await assign({ ...retrievals(included), revision: 2, startDay: 5 });
    expect(await usage()).toMatchObject({ periodStart: '2026-12-05', used: 0 });
    const open = await trial.retrieval.database.write({ groupId: trial.groupId }, (tx) => trial.reserveOne(tx));
    expect(open?.state).toBe(state);
    await assign({ ...retrievals(included), revision: 3, startDay: 8 });
    expect(await usage()).toMatchObject({ periodStart: '2026-12-08', used: 1 });
    if (open !== undefined)
      await trial.retrieval.database.write({ groupId: trial.groupId }, (tx) => store.refund(tx, open));
    expect([await countOf('2026-11-01'), await countOf('2026-12-08'), (await usage()).used]).toEqual([1, 0, 0]);
  });

  it('a plan that allows more counts and never refuses', async () => {
    await assign(retrievals(1, 'ALLOW'));
    expect(await outcomes(Array.from({ length: 5 }, () => trial.search()))).toEqual({ answered: 5, refused: 0 });
    await expect(trial.search({}, down)).rejects.toThrow(SearchUnavailable);
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
    const of = (codes: readonly string[]) => usage(userScope(trial.groupId, { entities: codes }));
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
    const database = await trial.retrieval.provider(Database);
    const query: Transaction['query'] = async (sql, params) => {
      const rows = await trial.retrieval.database.read({ groupId: trial.groupId }, (tx) => tx.query(sql, params));
      await searchAs(focused);
      return rows as never;
    };
    jest
      .spyOn(database, 'read')
      .mockImplementationOnce((_scope, read) => read({ groupId: trial.groupId, query, prepared: query }));
    const { used, byEntity } = await usage(userScope(trial.groupId, focused));
    expect([used, byEntity[0]]).toEqual([1, { entityCode: 'E1', used: 1 }]);
  });

  it('a limit from before plans goes on in the running month', async () => {
    await trial.include(3, 2);
    await trial.search();
    await expect(trial.search()).rejects.toThrow(QuotaExceeded);
    expect(await usage()).toMatchObject({ planCode: 'EARLIER-LIMIT', included: 3, used: 3, periodEnd: '2026-11-30' });
  });

  it('without plan and limit nothing is refused', async () => {
    expect(await usage()).toMatchObject({ planCode: null, included: null, used: 0, periodStart: '2026-11-01' });
  });

  it('another group has another plan', async () => {
    await assign(retrievals(0));
    await expect(trial.search()).rejects.toThrow(QuotaExceeded);
    expect(await usage(userScope(randomUUID()))).toMatchObject({ planCode: null, included: null });
  });
});
