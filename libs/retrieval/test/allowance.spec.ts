import { randomUUID } from 'node:crypto';
import { NotFound, QuotaExceeded, type SearchRequest } from '@acervo/contracts';
import { leavingWithin } from '@acervo/platform-calls';
import { AllowanceStore } from '../src/allowance/allowance.store';
import { LexicalIndex, type RankedChunk, type RankedVector, VectorIndex } from '../src/legs/ranking';
import { SearchUnavailable } from '../src/search/search.errors';
import { handOver, userScope } from './documents';
import { openRetrieval, type ReplacedLegs, type Retrieval } from './support';

class NoLexicalIndex extends LexicalIndex {
  readonly engine = 'test';
  rank = (): Promise<readonly RankedChunk[]> => Promise.reject(new Error('The lexical leg is down.'));
}

class NoVectorIndex extends VectorIndex {
  readonly engine = 'test';
  rank = (): Promise<readonly RankedVector[]> => Promise.reject(new Error('The vector leg is down.'));
}

const down: ReplacedLegs = { lexical: new NoLexicalIndex(), vector: new NoVectorIndex() };
const store = new AllowanceStore();
let retrieval: Retrieval;
let groupId: string;

beforeAll(async () => {
  retrieval = await openRetrieval();
}, 60_000);
afterAll(() => retrieval.close(), 30_000);
beforeEach(async () => {
  groupId = randomUUID();
  await handOver(retrieval, { groupId, code: 'AGUA', texts: ['El depósito de agua se amplía.'] });
});

/** What a plan includes, and how much of it is used. */
const include = (included: number | null, used = 0, group = groupId): Promise<unknown> =>
  retrieval.database.write({ groupId: group }, (tx) =>
    tx.query(
      `insert into retrieval.allowance (group_id, included, used) values ($1, $2, $3)
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

const outcomes = async (searches: readonly Promise<unknown>[]): Promise<{ answered: number; refused: number }> => {
  const settled = await Promise.allSettled(searches);
  const refused = settled.filter((each) => each.status === 'rejected' && each.reason instanceof QuotaExceeded).length;
  return { answered: settled.filter(({ status }) => status === 'fulfilled').length, refused };
};

describe('the retrievals of a group', () => {
  it('are exactly as many as are left, whoever asks at the same time', async () => {
    for (let round = 1; round <= 5; round += 1) {
      await include(40, 30);
      const asked = Array.from({ length: 200 }, () => search());
      expect([round, await outcomes(asked)]).toEqual([round, { answered: 10, refused: 190 }]);
      expect(await counted()).toEqual({ used: 40, held: 0 });
    }
  }, 60_000);

  it('stay exact while some of the searches fail: only what was answered is counted', async () => {
    await include(10);
    const asked = Array.from({ length: 120 }, (_, index) => search({}, index % 3 === 0 ? undefined : down));
    const { answered } = await outcomes(asked);
    expect(answered).toBeLessThanOrEqual(10);
    expect(await counted()).toEqual({ used: answered, held: 0 });
    for (let left = 10 - answered; left > 0; left -= 1) await search();
    await expect(search()).rejects.toThrow(QuotaExceeded);
  });

  it.each([null, undefined])('are counted and never refused without a limit (%s)', async (included) => {
    if (included === null) await include(included);
    expect(await outcomes(Array.from({ length: 20 }, () => search()))).toEqual({ answered: 20, refused: 0 });
    expect(await counted()).toEqual({ used: 20, held: 0 });
    await expect(search({}, down)).rejects.toThrow(SearchUnavailable);
    expect(await counted()).toEqual({ used: 20, held: 0 });
  });

  it('are counted for a search that finds nothing, and not for one of what is not there', async () => {
    await include(3);
    await search({ filter: { documentTypes: ['NADA'] } });
    await expect(search({ locationCode: 'NADA' })).rejects.toThrow(NotFound);
    await expect(search({ spaceId: 1 })).rejects.toThrow(NotFound);
    expect(await counted()).toEqual({ used: 1, held: 0 });
  });

  it('are asked for after what is searched is found: without any left, what is not there is still not found', async () => {
    await include(0);
    await expect(search({ locationCode: 'NADA' })).rejects.toThrow(NotFound);
    await expect(search()).rejects.toThrow(QuotaExceeded);
  });

  it('are not taken by an explanation', async () => {
    await include(0);
    const request = { query: 'agua', limit: 1, minSimilarity: 0 };
    expect((await retrieval.explainWith().explain(userScope(groupId), request)).documents).toHaveLength(1);
  });

  it('are given back by a search that its caller does not wait for any more', async () => {
    await include(1);
    await leavingWithin(-1, () => search());
    expect(await counted()).toEqual({ used: 0, held: 0 });
    await search();
  });

  it('come back when the process that took them has died, and not while it may live', async () => {
    await include(2);
    const taken = await Promise.all(
      [1, 2].map(() => retrieval.database.write({ groupId }, (tx) => store.take(tx, randomUUID()))),
    );
    expect(taken).toEqual(['held', 'held']);
    await expect(search()).rejects.toThrow(QuotaExceeded);
    await retrieval.database.write({ groupId }, (tx) =>
      tx.query(`update retrieval.taking set taken_at = now() - interval '2 minutes'`),
    );
    expect(await outcomes(Array.from({ length: 20 }, () => search()))).toEqual({ answered: 2, refused: 18 });
    expect(await counted()).toEqual({ used: 2, held: 0 });
  });

  it('of one group are none of another', async () => {
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
