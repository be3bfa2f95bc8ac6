import { randomUUID } from 'node:crypto';
import { defaultLanguages, queryTerms } from '@acervo/analysis';
import { announce, prepare, userScope } from './documents';
import { numbers, often } from './numbers';
import type { Retrieval } from './support';

const [OWN_CHUNKS, QUERIES, TIMES] = [often(12, 60), often(40, 200), 10];
const SYLLABLES = ['ca', 're', 'mo', 'li', 'to', 'na', 'se', 'du', 'pa', 'ri'];
const VOCABULARY = Array.from({ length: 300 }, (_, index) =>
  [index % 10, Math.floor(index / 10) % 10, Math.floor(index / 100)].map((at) => SYLLABLES[at]).join(''),
);

/** What the test needs of an engine that ranks words. */
export interface Ranking {
  readonly retrieval: Retrieval;
  /** Every chunk of a group that contains a term, with the exact score of the engine. */
  scores(groupId: string, terms: string): Promise<readonly unknown[]>;
  /** Waits until searches find all hand-overs of a group. */
  searchable(groupId: string): Promise<void>;
  close(): Promise<void>;
}

/** Documents of one group never change the answers of another, in any engine that ranks words. */
export const neverInterferes = (name: string, open: () => Promise<Ranking>): void => {
  const [ours, theirs] = [randomUUID(), randomUUID()];
  const random = numbers(3);
  /** A word of the vocabulary; the first words are far more frequent than the last ones. */
  const word = (): string => VOCABULARY[Math.floor(VOCABULARY.length * random() ** 3)] ?? '';
  const words = (count: number): string => Array.from({ length: count }, word).join(' ');

  let ranking: Ranking;
  beforeAll(async () => {
    ranking = await open();
  });
  afterAll(() => ranking.close());

  /** Indexes hand-overs until no task waits. */
  const load = async (groupId: string, count: number): Promise<void> => {
    const { retrieval } = ranking;
    for (let index = 0; index < count; index += 1) {
      const texts = Array.from({ length: 1 + Math.floor(random() * 3) }, () => words(30));
      await announce(retrieval, groupId, await prepare(retrieval, { groupId, code: `D${index}`, texts }));
    }
    while ((await retrieval.work(groupId, 'index')) > 0);
    await ranking.searchable(groupId);
  };

  /** An answer without its duration, the ranks in each leg, and the lexical scores. */
  const answer = async (query: string) => {
    const request = { query, limit: 10, minSimilarity: 0 };
    const { durationMs: _durationMs, ...found } = await ranking.retrieval.searchWith().search(userScope(ours), request);
    const explained = await ranking.retrieval.explainWith().explain(userScope(ours), request);
    return { found, explained, scores: await ranking.scores(ours, queryTerms(query, defaultLanguages)) };
  };
  const answers = async (queries: readonly string[]): Promise<Awaited<ReturnType<typeof answer>>[]> => {
    const found = [];
    for (const query of queries) found.push(await answer(query));
    return found;
  };

  describe(`a group that loads ten times as many documents of the same words, ranked by ${name},`, () => {
    it(
      `documents of another group change none of ${QUERIES} answers or scores`,
      async () => {
        await load(ours, OWN_CHUNKS);
        const queries = Array.from({ length: QUERIES }, () => words(1 + Math.floor(random() * 4)));
        const before = await answers(queries);
        // A leg without an answer or without hits would be equal before and after.
        const both = before.filter(
          ({ explained: { legs } }) => legs.length === 2 && legs.every(({ chunks }) => chunks > 0),
        );
        expect(before.flatMap(({ explained }) => explained.legs).filter(({ answered }) => !answered)).toEqual([]);
        expect(both.length).toBeGreaterThan(QUERIES * 0.9);
        expect(before.filter(({ scores }) => scores.length > 1).length).toBeGreaterThan(QUERIES * 0.8);
        await load(theirs, TIMES * OWN_CHUNKS);
        expect(await answers(queries)).toEqual(before);
      },
      often(240_000, 1_800_000),
    );
  });
};
