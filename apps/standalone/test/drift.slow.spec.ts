import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { deleteDocument } from '@acervo/contracts';
import { newObjectKey } from '@acervo/platform-object-store';
import { BothServices } from './support/both-services';
import { Library } from './support/stores';

const TEXT = 'El riego de los huertos se paga cada mes. '.repeat(40);
const STRANGER = 'ffffffff-ffff-7fff-8fff-ffffffffffff';
const OTHER_STRANGER = 'eeeeeeee-eeee-7eee-8eee-eeeeeeeeeeee';

/** A planted difference, and the differences that the comparison finds and repairs. */
type Case = readonly [
  name: string,
  plant: (library: Library, id: string) => Promise<unknown>,
  found: Readonly<Record<string, readonly [number, number]>>,
];

const retrieval = (sql: string) => (library: Library, id: string) =>
  library.sql('retrieval', sql.replaceAll(':id', id));
const ingestion = (sql: string) => (library: Library, id: string) =>
  library.sql('ingestion', sql.replaceAll(':id', id));
const ROW = `where group_id = $1 and document_id = ':id'`;
const copyOfChunks = (columns: string) => `insert into retrieval.chunk
  (bucket, group_id, space_id, document_id, generation, ordinal, start_at, end_at, text, context, language, terms)
  select bucket, group_id, space_id, ${columns}, start_at, end_at, text, context, language, terms from retrieval.chunk ${ROW}`;

const objectOf = async (library: Library, id: string, column: string): Promise<string> => {
  const [row] = await library.sql(
    'ingestion',
    `select ${column} as key from ingestion.document where group_id = $1 and document_id = '${id}'`,
  );
  return String(row?.['key']);
};
const loseObject = (column: string) => async (library: Library, id: string) =>
  library.both.objects.delete(library, await objectOf(library, id, column));
const HOUR_S = 3_600;
const leak = (kind: string, hours: number) => async (library: Library) => {
  const key = newObjectKey(library, kind);
  await library.both.objects.put(library, key, Buffer.from('leaked'));
  const path = join(library.both.place, 'objects', key);
  const at = Date.now() / 1_000 - hours * HOUR_S;
  utimesSync(path, at, at);
};
const deleted = async (library: Library): Promise<string> => {
  const { id, code } = await library.documentOf('otro.txt');
  await library.both.askAs(deleteDocument, library.groupId, { document_code: code });
  await library.both.settle(library.groupId);
  return id;
};

const one = [1, 1] as const;
const cases: readonly Case[] = [
  [
    'a live row that is gone',
    retrieval(`delete from retrieval.live ${ROW}`),
    { 'live.missing': one, 'chunks.stale': one },
  ],
  ['a description that is gone', retrieval(`delete from retrieval.document ${ROW}`), { 'live.missing': one }],
  [
    'a document that retrieval takes for withdrawn',
    retrieval(`update retrieval.document set withdrawn = true, revision = 90 ${ROW}`),
    { 'live.missing': one },
  ],
  ['a chunk that is gone', retrieval(`delete from retrieval.chunk ${ROW} and ordinal = 0`), { 'chunks.missing': one }],
  [
    'a chunk too many',
    retrieval(`${copyOfChunks('document_id, generation, 900')} and ordinal = 0`),
    { 'chunks.extra': one },
  ],
  [
    'a chunk that says something else',
    retrieval(`update retrieval.chunk set text = 'Otra cosa.' ${ROW} and ordinal = 0`),
    { 'chunks.differ': one },
  ],
  [
    'two chunks that changed their places',
    retrieval(`update retrieval.chunk c set text = o.text from retrieval.chunk o where c.group_id = $1 and c.document_id = ':id'
      and o.group_id = $1 and o.document_id = ':id' and o.bucket = c.bucket and o.ordinal = 1 - c.ordinal`),
    { 'chunks.differ': one },
  ],
  [
    'a vector that is gone',
    retrieval(`delete from retrieval.vector_384 ${ROW} and ordinal = 0`),
    { 'vectors.missing': one },
  ],
  [
    'a vector too many',
    retrieval(
      `insert into retrieval.vector_384 select bucket, group_id, space_id, document_id, generation, 900, embedding from retrieval.vector_384 ${ROW} and ordinal = 0`,
    ),
    { 'vectors.extra': one },
  ],
  ['chunks of an old generation', retrieval(copyOfChunks('document_id, 0, ordinal')), { 'chunks.stale': one }],
  [
    'chunks of a generation that was never finished',
    retrieval(copyOfChunks('document_id, 7, ordinal')),
    { 'chunks.stale': one },
  ],
  ['chunks of an unknown document', retrieval(copyOfChunks(`'${STRANGER}', 1, ordinal`)), { 'chunks.stale': one }],
  [
    'a live row of an unknown document',
    retrieval(
      `insert into retrieval.live select group_id, '${STRANGER}', space_id, 1, bucket, 1, now() from retrieval.live ${ROW}`,
    ),
    { 'live.unwanted': one },
  ],
  [
    'a description of an unknown document',
    retrieval(
      `insert into retrieval.document select group_id, '${OTHER_STRANGER}', 5, false, 'X', name, title, summary, entity_code, location_code, location_ancestors, home_var, relative_path, path, origin from retrieval.document ${ROW}`,
    ),
    { 'live.unwanted': one },
  ],
  [
    'a live row of a document that was deleted',
    async (library) =>
      retrieval(`with shown as (update retrieval.document set withdrawn = false ${ROW})
    insert into retrieval.live select group_id, ':id', space_id, generation, bucket, chunk_count, now() from retrieval.live where group_id = $1 limit 1`)(
        library,
        await deleted(library),
      ),
    { 'live.unwanted': one },
  ],
  [
    'a generation that is behind',
    ingestion(`update ingestion.document set generation = generation + 1 ${ROW}`),
    { 'live.older': one },
  ],
  [
    'a generation that is ahead',
    retrieval(`update retrieval.live set generation = 40 ${ROW}`),
    { 'live.newer': one, 'chunks.stale': one },
  ],
  [
    'another path',
    retrieval(`update retrieval.document set path = '/elsewhere' ${ROW}`),
    { 'description.differs': one },
  ],
  [
    'another entity',
    retrieval(`update retrieval.document set entity_code = 'E9' ${ROW}`),
    { 'description.differs': one },
  ],
  [
    'other folders above',
    retrieval(`update retrieval.document set location_ancestors = '{L9}' ${ROW}`),
    { 'description.differs': one },
  ],
  [
    'other codes',
    retrieval(`update retrieval.document set type_codes = '{T9}' ${ROW}`),
    { 'description.differs': one },
  ],
  ['another title', retrieval(`update retrieval.document set title = 'Otro' ${ROW}`), { 'description.differs': one }],
  [
    'a later revision with another name',
    retrieval(`update retrieval.document set name = 'otro', revision = 900 ${ROW}`),
    { 'description.differs': one },
  ],
  [
    'a document on its way whose work is gone',
    ingestion(
      `with gone as (delete from ingestion.task where group_id = $1 and subject_id = ':id') update ingestion.document set status = 'EXTRAIDO' ${ROW}`,
    ),
    { 'work.lost': one },
  ],
  [
    'a hand-over that never arrived',
    ingestion(`update ingestion.document set status = 'FRAGMENTADO' ${ROW}`),
    { 'handover.lost': one },
  ],
  ...(['original_object', 'text_object', 'chunks_object', 'vectors_object'] as const).map((column): Case => [
    `a lost ${column}`,
    loseObject(column),
    { 'object.missing': one },
  ]),
  [
    'a remembered result without its object',
    (library) =>
      library.sql(
        'ingestion',
        `insert into ingestion.step_result (group_id, stage, key, content_hash, value)
         values ($1, 'chunk', 'k', 'h', '{"chunksObject": "${newObjectKey(library, 'chunks')}"}')`,
      ),
    { 'object.missing': one },
  ],
  ['an object that nothing names for a day', leak('text', 24.1), { 'object.unneeded': one }],
  ['pages of an abandoned reading', leak('pages', 24.1), { 'object.unneeded': one }],
];

describe('drift between the stores', () => {
  let both: BothServices;
  beforeAll(async () => {
    both = await BothServices.open();
  });
  afterAll(() => both.close());

  let folders = 0;
  /** The library of the last case, if its differences were repaired: the stores agree again. */
  let repaired: Library | undefined;
  const library = async (): Promise<Library> => {
    const opened = new Library(both, `drift-${(folders += 1)}`, {
      'riego.txt': TEXT,
      'otro.txt': 'Los perros ladran.',
    });
    await opened.ingestFolder();
    return opened;
  };

  it.each(cases)('the comparison finds and repairs %s', async (_name, plant, found) => {
    const folder = repaired ?? (await library());
    repaired = undefined;
    const { id } = await folder.documentOf('riego.txt');
    await plant(folder, id);
    expect(await folder.compare()).toEqual(found);
    await both.settle(folder.groupId);
    expect(await folder.compare()).toEqual({});
    expect(await folder.find('riego huertos')).toContain('riego.txt');
    expect((await folder.documentOf('riego.txt')).status).toBe('VECTORIZADO');
    const { chunks, vectors, live } = await folder.contents();
    const [row] = await folder.sql(
      'ingestion',
      `select sum(chunk_count)::int as n, count(*)::int as d from ingestion.document where group_id = $1 and deleted_at is null`,
    );
    expect([chunks, vectors, live]).toEqual([row?.['n'], row?.['n'], row?.['d']]);
    repaired = folder;
  });

  it('a young object without a reference is spared', async () => {
    const folder = await library();
    await leak('text', 23.9)(folder);
    expect(await folder.compare()).toEqual({});
    expect((await folder.contents()).objects).toBe(9);
  });

  it('a difference that vanishes before its confirmation is not reported', async () => {
    const folder = await library();
    const { id } = await folder.documentOf('riego.txt');
    await folder.sql(
      'retrieval',
      `update retrieval.document set path = '/x' where group_id = $1 and document_id = '${id}'`,
    );
    const repair = () =>
      folder.sql('retrieval', `update retrieval.document d set path = '/drift/riego.txt' where false`);
    let looks = 0;
    const found = await folder.compare(async () => {
      looks += 1;
      await repair();
      await folder.sql(
        'ingestion',
        `update ingestion.document set revision = revision + 1 where group_id = $1 and document_id = '${id}'`,
      );
    });
    expect([looks > 0, found]).toEqual([true, {}]);
  });

  it('a comparison schedules the missing rescans of folders', async () => {
    const folder = await library();
    await folder.sql('ingestion', `delete from ingestion.task where group_id = $1 and stage = 'rescan'`);
    await folder.compare();
    const rescans = `select status from ingestion.task where group_id = $1 and stage = 'rescan'`;
    expect(await folder.sql('ingestion', rescans)).toEqual([{ status: 'WAITING' }]);
  });
});
