import { visibilityOf } from '@acervo/rbac';
import { Bm25Index } from '../src/legs/bm25-index';
import { MOST_EXACT } from '../src/legs/leg-sql';
import { PgvectorIndex } from '../src/legs/pgvector-index';
import { type SearchedDocuments, searchedDocuments } from '../src/legs/searched-documents';
import { userScope } from './documents';
import { often } from './numbers';
import { CHUNKS, exactly, nameOf, near, PER_DOCUMENT, type Placed, RecallWorld, TYPES, word } from './recall-world';
import { keepSpace } from './stored-spaces';
import { compareTimes, shownTimes } from './times';

const QUERIES = often(20, 100);
const FLOOR = 0.98;
/** The most recall that a space costs where the graph itself is below the floor, as with vectors without a structure. */
const MOST_LOST = 0.02;
/** The most that a search within a space takes, as a multiple of one without it. */
const MOST_TIMES = 1.3;
const [ONE, MOST] = [1, 2] as const;

let world: RecallWorld;
beforeAll(
  async () => {
    world = await RecallWorld.open();
    const { retrieval, groupId } = world;
    for (const { spaceId, contains } of SPACES)
      await keepSpace(retrieval, { groupId, spaceId, members: world.documentsWhere(contains) });
  },
  often(300_000, 3_600_000),
);
afterAll(() => world.retrieval.close());

const report = (figure: string, queries: number, tookMs: number): void => {
  process.stdout.write(`${figure}: ${queries} queries, ${(tookMs / queries).toFixed(1)} ms each\n`);
};
const everything = (): SearchedDocuments => visibilityOf(userScope(world.groupId));

describe(`an area with one in a hundred of ${CHUNKS} chunks`, () => {
  // The assumed size of the group decides whether the chunks of the area are counted.
  it.each([
    ['small', 0],
    ['large', 1_000_000],
  ])(
    'vector search in a group that counts as %s matches exact search',
    async (size, mostChunks) => {
      const { retrieval, groupId, embeddingIndex, placed } = world;
      const index = new PgvectorIndex(retrieval.database);
      const visibility = visibilityOf(userScope(groupId, { locationRoots: ['AREA'] }));
      const inArea = placed.filter(({ isInArea }) => isInArea);
      const rank = (query: Float32Array, depth: number) =>
        index.rank({ visibility, embeddingIndex: { ...embeddingIndex, mostChunks }, depth }, query);
      let found = 0;
      for (let round = 0; round < QUERIES; round += 1) {
        const query = near();
        const expected = new Set(exactly(inArea, query, 10));
        found += (await rank(query, 10)).filter((hit) => expected.has(nameOf(hit))).length;
        expect(await rank(query, inArea.length + 100)).toHaveLength(inArea.length);
      }
      const recall = found / (QUERIES * 10);
      process.stdout.write(`recall@10 ${recall.toFixed(3)} of ${QUERIES} queries, ${size}\n`);
      expect(recall).toBeGreaterThanOrEqual(FLOOR);
    },
    often(120_000, 1_800_000),
  );
});

/** What narrows a search, and the chunks that it admits. */
interface Narrowing {
  readonly name: string;
  readonly documents: number;
  readonly searched: () => SearchedDocuments;
  readonly contains: (chunk: Placed) => boolean;
}

const DOCUMENTS = CHUNKS / PER_DOCUMENT;
const SPACES = [
  { spaceId: ONE, name: 'a space of one document', documents: 1, contains: ({ index }: Placed) => index === 7 },
  {
    ...{ spaceId: MOST, name: 'a space of nine documents in ten', documents: 0.9 * DOCUMENTS },
    contains: ({ index }: Placed) => index % 10 !== 3,
  },
];
const narrowings: readonly Narrowing[] = [
  ...Object.entries(TYPES).map(([code, share]) => ({
    ...{ name: `a filter by the type of one document in ${share}`, documents: Math.ceil(DOCUMENTS / share) },
    searched: () => searchedDocuments(everything(), { documentTypes: [code] }),
    contains: ({ types }: Placed) => types.some((type) => type === code),
  })),
  ...SPACES.map(({ spaceId, ...space }) => ({
    ...space,
    searched: () => ({ ...everything(), space: { spaceId, version: 1 } }),
  })),
];

describe.each(narrowings)(`$name among ${CHUNKS} chunks`, ({ name, documents, searched, contains }) => {
  const admitted = (): Placed[] => world.placed.filter(contains);

  it.each([
    ['small', 0],
    ['large', 1_000_000],
  ])(
    'vector search in a group that counts as %s matches exact search',
    async (size, mostChunks) => {
      const { retrieval, embeddingIndex } = world;
      const index = new PgvectorIndex(retrieval.database);
      const chunks = admitted();
      expect(chunks).toHaveLength(documents * PER_DOCUMENT);
      // Along the graph as deep as a search reads; fewer chunks are all compared.
      const isGraph = chunks.length > MOST_EXACT;
      const depth = isGraph ? 200 : 10;
      const target = { embeddingIndex: { ...embeddingIndex, mostChunks }, depth };
      let [found, foundInAll, took] = [0, 0, 0];
      const hits = async (query: Float32Array, among: readonly Placed[], visibility: SearchedDocuments) => {
        const expected = new Set(exactly(among, query, 10));
        const started = performance.now();
        const ranked = await index.rank({ ...target, visibility }, query);
        return {
          ms: performance.now() - started,
          count: ranked.slice(0, 10).filter((hit) => expected.has(nameOf(hit))).length,
        };
      };
      for (let round = 0; round < QUERIES; round += 1) {
        const query = near();
        const { count, ms } = await hits(query, chunks, searched());
        found += count;
        took += ms;
        if (isGraph) foundInAll += (await hits(query, world.placed, everything())).count;
      }
      const recall = found / (QUERIES * 10);
      report(`vector recall@10 ${recall.toFixed(3)}, ${name}, ${size}`, QUERIES, took);
      // The graph misses some of these vectors without a space, too.
      const ofAll = foundInAll / (QUERIES * 10);
      if (isGraph) process.stdout.write(`without a space: ${ofAll.toFixed(3)}\n`);
      expect(recall).toBeGreaterThanOrEqual(isGraph ? Math.min(FLOOR, ofAll - MOST_LOST) : FLOOR);
    },
    often(120_000, 1_800_000),
  );

  it(
    'word search matches the whole ranking, narrowed',
    async () => {
      const { retrieval, embeddingIndex } = world;
      const index = new Bm25Index(retrieval.database);
      const [within, visibility] = [new Set(admitted().map(nameOf)), searched()];
      const rounds = QUERIES / 4;
      let [found, expected, took] = [0, 0, 0];
      for (let round = 0; round < rounds; round += 1) {
        const terms = `${word()} ${word()} ${word()}`;
        const whole = await index.rank({ visibility: everything(), embeddingIndex, depth: CHUNKS }, terms);
        const best = new Set(
          whole
            .map(nameOf)
            .filter((each) => within.has(each))
            .slice(0, 10),
        );
        const started = performance.now();
        const ranked = await index.rank({ visibility, embeddingIndex, depth: 10 }, terms);
        took += performance.now() - started;
        expect(ranked).toHaveLength(best.size);
        found += ranked.filter((hit) => best.has(nameOf(hit))).length;
        expected += best.size;
      }
      report(`lexical recall@10 ${(found / expected).toFixed(3)}, ${name}`, rounds, took);
      expect(found / expected).toBeGreaterThanOrEqual(FLOOR);
    },
    often(300_000, 3_600_000),
  );
});

describe(`the time of a search among ${CHUNKS} chunks`, () => {
  it.each(SPACES)(
    `within $name it is at most ${MOST_TIMES} x that of the whole group`,
    async ({ name, spaceId }) => {
      const { retrieval, groupId } = world;
      const rounds = 3 * QUERIES;
      const queries = Array.from({ length: rounds }, () => `${word()} ${word()} ${word()}`);
      const search = (round: number, more: { readonly spaceId?: number }) => {
        const request = { query: queries[round] ?? '', limit: 10, minSimilarity: 0, ...more };
        return retrieval.searchWith().search(userScope(groupId), request);
      };
      const compared = await compareTimes(
        rounds,
        MOST_TIMES,
        (round) => search(round, { spaceId }),
        (round) => search(round, {}),
      );
      process.stdout.write(shownTimes(`search within ${name}`, compared, rounds));
      expect(compared.times).toBeLessThanOrEqual(MOST_TIMES);
    },
    often(300_000, 3_600_000),
  );
});
