import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { searchPassages } from '@acervo/contracts';
import { BothServices } from './both-services';
import { histories, PeopleAtWork } from './people-at-work';

type JsonObject = Record<string, unknown>;

const byPath = (a: JsonObject, b: JsonObject): number => (String(a['path']) < String(b['path']) ? -1 : 1);
const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The state of each document in ingestion, including deleted and missing documents. */
const documentsOf = async ({ library }: PeopleAtWork): Promise<JsonObject[]> =>
  (
    await library.sql(
      'ingestion',
      `select code, relative_path as path, content_hash as hash,
         case when deleted_at is not null then 'deleted' when status = 'NO_ENCONTRADO' then 'missing'
           when status = 'VECTORIZADO' then 'live' else status end as state
       from ingestion.document where group_id = $1`,
    )
  ).sort(byPath);

/** The documents that retrieval shows, with code and path. */
const shownOf = async ({ library }: PeopleAtWork): Promise<JsonObject[]> =>
  (
    await library.sql(
      'retrieval',
      `select d.code, d.relative_path as path from retrieval.document d join retrieval.live l using (group_id, document_id)
       where d.group_id = $1 and not d.withdrawn`,
    )
  ).sort(byPath);

/** Everything that a search can find, as chat gets it: each document with the full text of its chunks. */
const hitsOf = async ({ library }: PeopleAtWork, both: BothServices): Promise<JsonObject[]> => {
  const answer = await both.askAs(searchPassages, library.groupId, { query: 'el surco que se riega', limit: 50 });
  return (answer['documents'] as JsonObject[])
    .map((found) => ({
      code: found['code'],
      path: (found['fs'] as JsonObject)['relative_path'],
      text: (found['chunks'] as { text: string; extra: { chunk_number: number } }[])
        .toSorted((a, b) => a.extra.chunk_number - b.extra.chunk_number)
        .map(({ text }) => text)
        .join(' '),
    }))
    .sort(byPath);
};

/** A configured number of histories is random. */
const CONFIGURED_RUNS = process.env['ACERVO_MODEL_RUNS'];

/** Every kind of step. */
const KINDS = [
  'compare',
  'delete',
  'deliver',
  'move',
  'remove',
  'report',
  'restart',
  'revert',
  'scan',
  'work',
  'write',
];

/** Runs histories of changes over both services; each ends as the oracle expects, and together they take every step. */
export const servicesMatchOracle = ({ runs, seed }: { readonly runs: number; readonly seed: number }): void => {
  let both: BothServices;
  beforeAll(async () => {
    both = await BothServices.open();
  });
  afterAll(() => both.close());

  const judge = async (world: PeopleAtWork): Promise<void> => {
    const expected = world.expected;
    const live = expected.filter(({ state }) => state === 'live');
    expect(await documentsOf(world)).toEqual(expected.map(({ text, ...rest }) => ({ ...rest, hash: digest(text) })));
    expect(await shownOf(world)).toEqual(live.map(({ code, path }) => ({ code, path })));
    const hits = await hitsOf(world, both);
    expect(hits.map(({ text: _text, ...rest }) => rest)).toEqual(live.map(({ code, path }) => ({ code, path })));
    for (const [index, { text }] of live.entries())
      expect(String(hits[index]?.['text']).replaceAll(/\s+/g, ' ')).toBe(text.replaceAll(/\s+/g, ' '));
    const [counts] = await world.library.sql(
      'ingestion',
      `select sum(chunk_count)::int as n from ingestion.document
       where group_id = $1 and deleted_at is null and status <> 'NO_ENCONTRADO'`,
    );
    const { chunks, vectors } = await world.library.contents();
    expect([chunks, vectors]).toEqual([counts?.['n'], counts?.['n']]);
    expect(await world.library.compare()).toEqual({});
    expect(world.found.filter((each) => JSON.stringify(each) !== '{}')).toEqual([]);
  };

  let folders = 0;
  const effects = new Set<string>();
  it('any order of changes, work and deliveries reaches the expected state', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const world = new PeopleAtWork(both, `both-${(folders += 1)}`);
        await world.open();
        for (const step of history) await world.take(step);
        await world.end();
        await judge(world);
        for (const effect of world.effects) effects.add(effect);
      }),
      CONFIGURED_RUNS === undefined ? { numRuns: runs, seed } : { numRuns: Number(CONFIGURED_RUNS) },
    );
  }, 3_000_000);

  it('each kind of step had an effect in some history', () => {
    expect([...effects].sort()).toEqual(KINDS);
  });
};
