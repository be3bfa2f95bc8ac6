import { randomUUID } from 'node:crypto';
import { NotFound, QuotaExceeded } from '@acervo/contracts';
import { leavingWithin } from '@acervo/platform-calls';
import { SearchUnavailable } from '../src/search/search.errors';
import { handOver, userScope } from './documents';
import { down, outcomes, QuotaTrial } from './quota-trial';

let trial: QuotaTrial;
beforeAll(async () => {
  trial = await QuotaTrial.open();
});
afterAll(() => trial.close());
beforeEach(() => trial.begin());

describe('the retrievals of a group', () => {
  it('concurrent searches get exactly the remaining retrievals', async () => {
    for (let round = 1; round <= 5; round += 1) {
      await trial.include(40, 30);
      const asked = Array.from({ length: 200 }, () => trial.search());
      expect([round, await outcomes(asked)]).toEqual([round, { answered: 10, refused: 190 }]);
      expect(await trial.counted()).toEqual({ used: 40, held: 0 });
    }
  });

  it('the last search of a period asks for a person', async () => {
    await trial.include(3);
    const requests = async (): Promise<unknown[]> =>
      trial.retrieval.db.asOwner(
        'retrieval',
        `select payload from retrieval.outbox where group_id = $1 and topic = $2`,
        [trial.groupId, 'process.requested.v1'],
      );
    for (let searches = 0; searches < 2; searches += 1) await trial.search();
    expect(await requests()).toEqual([]);
    await trial.search();
    await expect(trial.search()).rejects.toThrow(QuotaExceeded);
    expect(await requests()).toHaveLength(1);
  });

  it('failing searches leave the count exact: only answers are counted', async () => {
    await trial.include(10);
    const asked = Array.from({ length: 120 }, (_, index) => trial.search({}, index % 3 === 0 ? undefined : down));
    const { answered } = await outcomes(asked);
    expect(answered).toBeLessThanOrEqual(10);
    expect(await trial.counted()).toEqual({ used: answered, held: 0 });
    for (let left = 10 - answered; left > 0; left -= 1) await trial.search();
    await expect(trial.search()).rejects.toThrow(QuotaExceeded);
  });

  it.each([null, undefined])('without a limit (%s) retrievals are counted and never refused', async (included) => {
    if (included === null) await trial.include(included);
    expect(await outcomes(Array.from({ length: 20 }, () => trial.search()))).toEqual({ answered: 20, refused: 0 });
    expect(await trial.counted()).toEqual({ used: 20, held: 0 });
    await expect(trial.search({}, down)).rejects.toThrow(SearchUnavailable);
    expect(await trial.counted()).toEqual({ used: 20, held: 0 });
  });

  it('empty results are counted; a search in a missing place is not', async () => {
    await trial.include(3);
    await trial.search({ filter: { documentTypes: ['NADA'] } });
    await expect(trial.search({ locationCode: 'NADA' })).rejects.toThrow(NotFound);
    await expect(trial.search({ spaceId: 1 })).rejects.toThrow(NotFound);
    expect(await trial.counted()).toEqual({ used: 1, held: 0 });
  });

  it('a missing place answers NOT_FOUND even without remaining quota', async () => {
    await trial.include(0);
    await expect(trial.search({ locationCode: 'NADA' })).rejects.toThrow(NotFound);
    await expect(trial.search()).rejects.toThrow(QuotaExceeded);
  });

  it('an explanation takes no retrieval', async () => {
    await trial.include(0);
    const request = { query: 'agua', limit: 1, minSimilarity: 0 };
    expect((await trial.retrieval.explainWith().explain(userScope(trial.groupId), request)).documents).toHaveLength(1);
  });

  it('a cancelled search refunds its retrieval', async () => {
    await trial.include(1);
    await leavingWithin(-1, () => trial.search());
    expect(await trial.counted()).toEqual({ used: 0, held: 0 });
    await trial.search();
  });

  it('reservations of a dead process are refunded after they expire', async () => {
    await trial.include(2);
    const answers = await Promise.all(
      [1, 2].map(() => trial.retrieval.database.write({ groupId: trial.groupId }, (tx) => trial.reserveOne(tx))),
    );
    expect(answers.map((answer) => answer?.state)).toEqual(['held', 'held']);
    await expect(trial.search()).rejects.toThrow(QuotaExceeded);
    await trial.retrieval.database.write({ groupId: trial.groupId }, (tx) =>
      tx.query(`update retrieval.taking set taken_at = now() - interval '2 minutes'`),
    );
    expect(await outcomes(Array.from({ length: 20 }, () => trial.search()))).toEqual({ answered: 2, refused: 18 });
    expect(await trial.counted()).toEqual({ used: 2, held: 0 });
  });

  it('a group never uses the quota of another', async () => {
    const other = randomUUID();
    await handOver(trial.retrieval, { groupId: other, code: 'AGUA', texts: ['Otro depósito de agua.'] });
    await trial.include(0);
    await trial.include(5, 0, other);
    await expect(trial.search()).rejects.toThrow(QuotaExceeded);
    await trial.search({}, undefined, other);
    expect([await trial.counted(), await trial.counted(other)]).toEqual([
      { used: 0, held: 0 },
      { used: 1, held: 0 },
    ]);
    const trespass = trial.retrieval.database.write({ groupId: trial.groupId }, (tx) =>
      tx.query('update retrieval.allowance set included = 0 where group_id = $1 returning used', [other]),
    );
    expect(await trespass).toEqual([]);
    await trial.search({}, undefined, other);
  });
});
