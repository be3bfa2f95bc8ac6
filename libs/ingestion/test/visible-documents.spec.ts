import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Call,
  countCorpus,
  countDocumentsByStatus,
  deleteDocument,
  getDocument,
  getDocumentEdges,
  listDocuments,
  listLocations,
  previewDocumentDeletion,
  previewReversal,
  registerFolder,
  reportMissingDocument,
  revertDocument,
  type ScopeClaims,
  startRun,
} from '@acervo/contracts';
import { Bench, newGroup } from './bench';

type JsonObject = Record<string, unknown>;
type Claims = Partial<ScopeClaims>;

const FILES = {
  'acta.txt': 'El acta.',
  'inner/banco.txt': 'El banco.',
  'inner/carta.txt': 'La carta.',
  'inner/deep/dato.txt': 'El dato.',
  'other/eco.txt': 'El eco.',
};
const names = (rows: readonly JsonObject[]): unknown[] => rows.map(({ name }) => name);

describe('the documents of a caller', () => {
  let bench: Bench;
  let groupId: string;
  let root: string;
  let locationCode: string;
  beforeAll(async () => {
    bench = await Bench.open();
    groupId = newGroup();
    root = bench.folder('seen', FILES);
    const registered = await bench.ask(registerFolder, groupId, { path: root, entity_code: 'E1' });
    locationCode = String(registered['location_code']);
    await bench.ask(startRun, groupId, { location_code: locationCode });
    await bench.work(groupId);
  });
  afterAll(() => bench.close());

  const ask = (call: Call, input: JsonObject = {}, claims: Claims = {}): Promise<JsonObject> =>
    bench.askAs(call, groupId, input, claims);
  const list = async (input: JsonObject = {}, claims: Claims = {}): Promise<JsonObject[]> =>
    (await ask(listDocuments, input, claims))['documents'] as JsonObject[];
  const codeOf = async (name: string): Promise<string> =>
    String((await list({ limit: 100 })).find((each) => each['name'] === name)?.['code']);
  const folders = async (input: JsonObject = {}, claims: Claims = {}): Promise<JsonObject[]> =>
    (await ask(listLocations, { limit: 100, ...input }, claims))['locations'] as JsonObject[];
  const folderOf = async (name: string): Promise<string> =>
    String((await folders()).find((each) => each['name'] === name)?.['code']);
  const refusal = (asked: Promise<unknown>): Promise<unknown> =>
    asked.then(
      () => 'answered',
      ({ code }) => code,
    );
  const change = (call: Call, document_code: string, more: JsonObject = {}, claims: Claims = {}) =>
    bench.askAs(call, groupId, { document_code, ...more }, claims, 'operations');

  it('the pages of live documents are counted for the group, and shown by entity in scope', async () => {
    const corpus = (entities: readonly string[], group = groupId) =>
      bench.askAs(countCorpus, group, {}, { entities }, 'operations');
    expect(await corpus(['E1', 'E2'])).toEqual({
      used: 5,
      by_entity: [
        { entity_code: 'E1', used: 5 },
        { entity_code: 'E2', used: 0 },
      ],
    });
    expect(await corpus(['E2'])).toEqual({ used: 5, by_entity: [{ entity_code: 'E2', used: 0 }] });
    expect(await corpus([], newGroup())).toEqual({ used: 0, by_entity: [] });
  });

  it('a list is ordered by path, and its pages cover it once', async () => {
    const every = ['acta.txt', 'banco.txt', 'carta.txt', 'dato.txt', 'eco.txt'];
    expect(await ask(listDocuments)).toMatchObject({ total: 5, page: 1 });
    expect(names(await list())).toEqual(every);
    const pages = [await list({ limit: 2 }), await list({ limit: 2, page: 2 }), await list({ limit: 2, page: 3 })];
    expect(pages.map(names)).toEqual([every.slice(0, 2), every.slice(2, 4), every.slice(4)]);
  });

  it('a document shows its place, its file and what became of it', async () => {
    const code = await codeOf('banco.txt');
    const fs = {
      ...{ home_var: expect.stringMatching(/\S/) as string, relative_path: 'inner/banco.txt' },
      ...{ path: '/seen/inner/banco.txt', origin: 'FILESYSTEM', is_absolute: false },
      ...{ is_public_url: false, is_cloud_only: false },
    };
    const item = {
      ...{ code, name: 'banco.txt', status: 'CHUNKED', location: '/seen/inner/banco.txt', entity_code: 'E1' },
      ...{ location_code: await folderOf('inner'), url: `http://test/app/documents/${code}` },
    };
    const listed = (await list()).find((each) => each['code'] === code);
    expect(listed).toMatchObject({ ...item, fs: { ...fs, origin: expect.any(String) as string } });
    const detail = await ask(getDocument, { document_code: code });
    expect(detail).toMatchObject({ ...listed, reason: null, size_bytes: 9, pages: 1, chunk_count: 1 });
    for (const at of ['updated_at', 'created_at'])
      if (at in detail) expect(String(detail[at])).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  });

  it.each<[string, (folder: (name: string) => Promise<string>) => Promise<[JsonObject, Claims]>, string[]]>([
    ['an area', async (at) => [{}, { locationRoots: [await at('inner')] }], ['banco.txt', 'carta.txt', 'dato.txt']],
    ['a folder', async (at) => [{ location_code: await at('deep') }, {}], ['dato.txt']],
    ['an entity without documents', async () => [{}, { entities: ['E2'] }], []],
    ['a focus that is empty', async () => [{}, { activeEntity: 'E2' }], []],
    ['a status', async () => [{ status: 'CHUNKED', limit: 1, page: 2 }, {}], ['banco.txt']],
    ['a status without documents', async () => [{ status: 'ERROR' }, {}], []],
  ])('a list narrows to %s', async (_what, asked, seen) => {
    const [input, claims] = await asked(folderOf);
    expect(names(await list(input, claims))).toEqual(seen);
  });

  it('counts by status cover visible documents alone', async () => {
    const count = async (claims: Claims = {}): Promise<[unknown, JsonObject[]]> => {
      const { counts, total } = await bench.askAs(countDocumentsByStatus, groupId, {}, claims, 'operations');
      return [total, (counts as JsonObject[]).filter(({ documents }) => documents !== 0)];
    };
    expect(await count()).toEqual([5, [{ status: 'CHUNKED', documents: 5 }]]);
    expect(await count({ locationRoots: [await folderOf('deep')] })).toEqual([
      1,
      [{ status: 'CHUNKED', documents: 1 }],
    ]);
    expect(await count({ entities: [] })).toEqual([0, []]);
  });

  it('absent and invisible documents, folders and neighbours answer alike', async () => {
    const [code, hidden] = [await codeOf('acta.txt'), { locationRoots: [await folderOf('inner')] }];
    expect(await refusal(ask(getDocument, { document_code: code }))).toBe('answered');
    const folder = { location_code: await folderOf('other') };
    const parent = { parent_code: await folderOf('other') };
    for (const refused of [
      ask(getDocument, { document_code: 'D999' }),
      ask(getDocument, { document_code: code }, hidden),
      ask(getDocumentEdges, { document_code: code }, hidden),
      ask(listDocuments, folder, hidden),
      ask(listDocuments, { location_code: 'L999' }),
      ask(listLocations, parent, hidden),
      change(previewDocumentDeletion, code, {}, hidden),
      change(previewReversal, code, { status: 'DETECTED' }, hidden),
      change(deleteDocument, 'D999'),
    ])
      expect(await refusal(refused)).toBe('NOT_FOUND');
  });

  it('folders are listed by code with what is visible above and below', async () => {
    const [inner, deep, other] = [await folderOf('inner'), await folderOf('deep'), await folderOf('other')];
    const root = { code: locationCode, name: 'seen', parent_code: null, has_children: true };
    const all = await folders();
    expect(all.map(({ code }) => code)).toEqual([locationCode, inner, deep, other].toSorted());
    expect(all).toEqual(expect.arrayContaining([{ ...root, entity_code: 'E1' }]));
    expect(all.find(({ code }) => code === deep)).toMatchObject({ parent_code: inner, has_children: false });
    const narrow = { locationRoots: [inner] };
    expect((await folders({}, narrow)).map(({ code, parent_code }) => [code, parent_code])).toEqual(
      [
        [inner, null],
        [deep, inner],
      ].toSorted(([one], [next]) => (String(one) < String(next) ? -1 : 1)),
    );
    expect(names(await folders({ parent_code: inner }))).toEqual(['deep']);
    expect(names(await folders({ query: 'OTH' }))).toEqual(['other']);
    expect(names(await folders({ query: other.toLowerCase() }))).toContain('other');
    expect(names(await folders({ limit: 1 }))).toHaveLength(1);
    expect(await folders({}, { entities: [] })).toEqual([]);
  });

  it('pages of folders continue after the code of the last one', async () => {
    const codes: unknown[] = [];
    for (let cursor: unknown; cursor !== null;) {
      const page = await ask(listLocations, { limit: 1, ...(cursor === undefined ? {} : { cursor }) });
      codes.push(...(page['locations'] as JsonObject[]).map(({ code }) => code));
      cursor = page['next_cursor'];
    }
    expect(codes).toEqual((await folders()).map(({ code }) => code));
  });

  it('neighbours share the folder, path steps come from the top down', async () => {
    const edges = async (name: string, input: JsonObject = {}, claims: Claims = {}) => {
      const found = await ask(getDocumentEdges, { document_code: await codeOf(name), ...input }, claims);
      return [names(found['location_path'] as JsonObject[]), names(found['neighbors_two_hops'] as JsonObject[])];
    };
    expect(await edges('banco.txt')).toEqual([['seen', 'inner'], ['carta.txt']]);
    expect(await edges('dato.txt')).toEqual([['seen', 'inner', 'deep'], []]);
    expect(await edges('dato.txt', {}, { locationRoots: [await folderOf('inner')] })).toEqual([['inner', 'deep'], []]);
    const more = { 'f1.txt': 'Uno.', 'f2.txt': 'Dos.', 'f3.txt': 'Tres.' };
    const [wide, at] = [newGroup(), bench.folder('wide', more)];
    const { location_code } = await bench.ask(registerFolder, wide, { path: at, entity_code: 'E1' });
    await bench.ask(startRun, wide, { location_code });
    const { documents } = (await bench.askAs(listDocuments, wide, {})) as { documents: JsonObject[] };
    const input = { document_code: documents[0]?.['code'], neighbor_limit: 1 };
    const { neighbors_two_hops: nearest } = await bench.askAs(getDocumentEdges, wide, input);
    expect(nearest).toMatchObject([
      { ...{ name: 'f2.txt', location: '/wide/f2.txt', shared_edges: 1 }, location_code, code: documents[1]?.['code'] },
    ]);
  });

  describe('a change', () => {
    const prepare = async (name: string) => {
      const [group, at] = [newGroup(), bench.folder(name, { 'a.txt': 'Uno.', 'b.txt': 'Dos.' })];
      const { location_code } = await bench.ask(registerFolder, group, { path: at, entity_code: 'E1' });
      const scan = () => bench.ask(startRun, group, { location_code });
      await scan();
      const { documents } = (await bench.askAs(listDocuments, group, {})) as { documents: JsonObject[] };
      const code = documents[0]?.['code'];
      const send = (call: Call, input: JsonObject = {}) =>
        bench.askAs(call, group, { document_code: code, ...input }, {}, 'operations');
      return {
        group,
        at,
        scan,
        send,
        listed: async () => names((await bench.askAs(listDocuments, group, {}))['documents'] as JsonObject[]),
      };
    };

    it('a deleted document is absent for all but its reversal', async () => {
      const { group, send, listed } = await prepare('deleted');
      await bench.work(group);
      await send(deleteDocument);
      expect(await listed()).toEqual(['b.txt']);
      for (const call of [deleteDocument, reportMissingDocument, previewDocumentDeletion])
        expect(await refusal(send(call))).toBe('NOT_FOUND');
      expect(await send(countDocumentsByStatus)).toMatchObject({ total: 1 });
      expect(await refusal(send(previewReversal, { status: 'EXTRACTED' }))).toBe('CONFLICT');
      expect(await send(previewReversal, { status: 'DETECTED' })).toMatchObject({ documents: 1 });
      await send(revertDocument, { status: 'DETECTED' });
      expect(await listed()).toEqual(['a.txt', 'b.txt']);
    });

    it('a document goes back only to states that it has been in', async () => {
      const { group, send } = await prepare('early');
      expect(await refusal(send(previewReversal, { status: 'EXTRACTED' }))).toBe('CONFLICT');
      await bench.work(group);
      for (const status of ['DETECTED', 'ACQUIRED', 'EXTRACTED', 'SUMMARIZED', 'CHUNKED'])
        expect(await refusal(send(previewReversal, { status }))).toBe('answered');
      for (const status of ['ERROR', 'MISSING', 'VECTORIZED'])
        expect(await refusal(send(previewReversal, { status }))).toBe('CONFLICT');
    });

    it('a document whose file is missing goes back nowhere', async () => {
      const { group, at, scan, send } = await prepare('missing');
      await bench.work(group);
      unlinkSync(join(at, 'a.txt'));
      await scan();
      expect(await refusal(send(previewReversal, { status: 'DETECTED' }))).toBe('CONFLICT');
      const refused = await send(previewReversal, { status: 'DETECTED' }).catch((error: Error) => error.message);
      expect(refused).toMatch(/name an earlier one/);
    });

    it('an attachment is not read again from its file', async () => {
      const { group, send } = await prepare('carried');
      await bench.work(group);
      const carried = `with mail as (select document_id from ingestion.document where group_id = $1 and name = 'b.txt')
        update ingestion.document set depth = 1, parent_id = mail.document_id, carrier_id = mail.document_id
        from mail where group_id = $1 and name = 'a.txt'`;
      await bench.database.write({ groupId: group }, (tx) => tx.query(carried, [group]));
      expect(await refusal(send(previewReversal, { status: 'DETECTED' }))).toBe('CONFLICT');
      expect(await refusal(send(previewReversal, { status: 'ACQUIRED' }))).toBe('answered');
    });
  });
});
