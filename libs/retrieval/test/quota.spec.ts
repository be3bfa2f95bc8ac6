import { randomUUID } from 'node:crypto';
import { NotFound, QuotaExceeded, type SearchRequest } from '@acervo/contracts';
import { leavingWithin } from '@acervo/platform-calls';
import { WITHOUT_LIMITS } from '@acervo/platform-testing';
import { QuotaStore } from '../src/quota/quota.store';
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
const store = new QuotaStore();
let retrieval: Retrieval;
let groupId: string;

beforeAll(async () => {
  retrieval = await openRetrieval({ environment: WITHOUT_LIMITS });
}, 60_000);
afterAll(() => retrieval.close(), 30_000);
beforeEach(async () => {
  groupId = randomUUID();
  await handOver(retrieval, { groupId, code: 'AGUA', texts: ['El depósito de agua se amplía.'] });
});

/** Sets the quota of a group, and how much of it is used. */
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
  it('concurrent searches get exactly the remaining retrievals', async () => {
    for (let round = 1; round <= 5; round += 1) {
      await include(40, 30);
      const asked = Array.from({ length: 200 }, () => search());
      expect([round, await outcomes(asked)]).toEqual([round, { answered: 10, refused: 190 }]);
      expect(await counted()).toEqual({ used: 40, held: 0 });
    }
  }, 60_000);

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
    const answers = await Promise.all(
      [1, 2].map(() => retrieval.database.write({ groupId }, (tx) => store.reserve(tx, randomUUID()))),
    );
    expect(answers).toEqual(['held', 'held']);
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
