import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { searchDocuments } from '@acervo/contracts';
import { BothServices } from './support/both-services';
import { histories, PeopleAtWork } from './support/people-at-work';

type Plain = Record<string, unknown>;

/** More histories, other ones each time, where their number is given; the same few otherwise. */
const GIVEN = process.env['ACERVO_MODEL_RUNS'];
const RUNS = Number(GIVEN ?? 12);

const byPath = (a: Plain, b: Plain): number => (String(a['path']) < String(b['path']) ? -1 : 1);
const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** What ingestion says of each document, deleted and missing ones included. */
const documentsOf = async ({ library }: PeopleAtWork): Promise<Plain[]> =>
  (
    await library.sql(
      'ingestion',
      `select code, relative_path as path, content_hash as hash,
         case when deleted_at is not null then 'deleted' when status = 'NO_ENCONTRADO' then 'missing'
           when status = 'VECTORIZADO' then 'live' else status end as state
       from ingestion.document where group_id = $1`,
    )
  ).sort(byPath);

/** The documents that retrieval shows, by code, where it says that they lie. */
const shownOf = async ({ library }: PeopleAtWork): Promise<Plain[]> =>
  (
    await library.sql(
      'retrieval',
      `select d.code, d.relative_path as path from retrieval.document d join retrieval.live l using (group_id, document_id)
       where d.group_id = $1 and not d.withdrawn`,
    )
  ).sort(byPath);

/** Everything that a search can find: each document with the whole of its text as it is found. */
const hitsOf = async ({ library }: PeopleAtWork, both: BothServices): Promise<Plain[]> => {
  const answer = await both.askAs(searchDocuments, library.groupId, { query: 'el surco que se riega', limit: 50 });
  return (answer['documents'] as Plain[])
    .map((found) => ({
      code: found['code'],
      path: (found['fs'] as Plain)['relative_path'],
      text: (found['chunks'] as { text: string; extra: { chunk_number: number } }[])
        .toSorted((a, b) => a.extra.chunk_number - b.extra.chunk_number)
        .map(({ text }) => text)
        .join(' '),
    }))
    .sort(byPath);
};

describe('both services', () => {
  let both: BothServices;
  beforeAll(async () => {
    both = await BothServices.open();
  }, 120_000);
  afterAll(() => both.close());

  const judge = async (world: PeopleAtWork): Promise<void> => {
    const told = world.told;
    const live = told.filter(({ state }) => state === 'live');
    expect(await documentsOf(world)).toEqual(told.map(({ text, ...rest }) => ({ ...rest, hash: digest(text) })));
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
  it('end where a history of changes leads, whatever was worked and delivered when', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const world = new PeopleAtWork(both, `both-${(folders += 1)}`);
        await world.open();
        for (const step of history) await world.take(step);
        await world.end();
        await judge(world);
      }),
      { numRuns: RUNS, ...(GIVEN === undefined ? { seed: 1 } : {}) },
    );
  }, 3_000_000);
});
