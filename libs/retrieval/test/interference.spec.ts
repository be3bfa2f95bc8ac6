import { randomUUID } from 'node:crypto';
import { announce, prepare, userScope } from './documents';
import { numbers, often } from './numbers';
import { openRetrieval, type Retrieval } from './support';

const [OWN, QUERIES, TIMES] = [often(12, 60), often(40, 200), 10];
const [ours, theirs] = [randomUUID(), randomUUID()];
const random = numbers(3);
const syllables = ['ca', 're', 'mo', 'li', 'to', 'na', 'se', 'du', 'pa', 'ri'];
const VOCABULARY = Array.from({ length: 300 }, (_, index) =>
  [index % 10, Math.floor(index / 10) % 10, Math.floor(index / 100)].map((at) => syllables[at]).join(''),
);

/** A word of the vocabulary, the first ones far more often than the last ones. */
const word = (): string => VOCABULARY[Math.floor(VOCABULARY.length * random() ** 3)] ?? '';
const words = (count: number): string => Array.from({ length: count }, word).join(' ');

let retrieval: Retrieval;
beforeAll(async () => {
  retrieval = await openRetrieval();
}, 60_000);
afterAll(() => retrieval.close(), 30_000);

/** Hands documents over and indexes what was handed over, until nothing waits. */
const load = async (groupId: string, count: number): Promise<void> => {
  for (let index = 0; index < count; index += 1) {
    const texts = Array.from({ length: 1 + Math.floor(random() * 3) }, () => words(30));
    await announce(retrieval, groupId, await prepare(retrieval, { groupId, code: `D${index}`, texts }));
  }
  while ((await retrieval.work(groupId, 'index')) > 0);
};

/** Everything that the answers say but how long they took. */
const answers = async (queries: readonly string[]): Promise<string[]> => {
  const search = retrieval.searchWith();
  const found: string[] = [];
  for (const query of queries) {
    const { durationMs: _durationMs, ...said } = await search.search(userScope(ours), {
      query,
      limit: 10,
      minSimilarity: 0,
    });
    found.push(JSON.stringify(said));
  }
  return found;
};

describe('a group that loads ten times as many documents of the same words', () => {
  it(
    `changes none of ${QUERIES} answers of another group: not a hit, not its place, not a score`,
    async () => {
      await load(ours, OWN);
      const queries = Array.from({ length: QUERIES }, () => words(1 + Math.floor(random() * 4)));
      const before = await answers(queries);
      expect(before.filter((said) => said.includes('"rrfScore"')).length).toBeGreaterThan(QUERIES / 2);
      await load(theirs, TIMES * OWN);
      expect(await answers(queries)).toEqual(before);
    },
    often(240_000, 1_800_000),
  );
});
