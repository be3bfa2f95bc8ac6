import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  getDocumentEdges,
  listDocuments,
  listLocations,
  registerFolder,
  type ScopeClaims,
  startRun,
} from '@acervo/contracts';
import fc from 'fast-check';
import { Bench, newGroup } from './bench';

type Item = { code: string; name: string; parent_code: string | null; has_children: boolean };
type Page = { locations: Item[]; next_cursor: string | null };
type Claims = Partial<ScopeClaims>;

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
});
afterAll(() => bench.close());

const opened = async (name: string, files: Record<string, string>, groupId = newGroup(), entity_code = 'E1') => {
  const root = bench.folder(name, files);
  const { location_code } = await bench.ask(registerFolder, groupId, { path: root, entity_code });
  const scan = (input = {}) => bench.ask(startRun, groupId, { location_code, ...input });
  await scan();
  const page = async (input = {}, claims: Claims = {}): Promise<Page> =>
    (await bench.askAs(listLocations, groupId, { limit: 200, ...input }, claims)) as unknown as Page;
  const list = async (input = {}, claims: Claims = {}): Promise<Item[]> => (await page(input, claims)).locations;
  const codeOf = async (folder: string): Promise<string> =>
    (await list()).find(({ name: itemName }) => itemName === folder)?.code ?? `no ${folder}`;
  return { root, groupId, rootCode: String(location_code), scan, page, list, codeOf };
};

const tree = { 'a.txt': 'Uno.', 'b/c/d.txt': 'Dos.', 'b/e.txt': 'Tres.', 'b/f.txt': 'Cuatro.', 'g/h.txt': 'Cinco.' };
const named = (items: readonly Item[]): Record<string, string> =>
  Object.fromEntries(items.map(({ code, name }) => [name, code]));

describe('visible folders', () => {
  it('the tree of a caller begins where its permission begins', async () => {
    const { list, codeOf, rootCode } = await opened('top', tree);
    const [b, c] = [await codeOf('b'), await codeOf('c')];
    expect(Object.keys(named(await list())).toSorted()).toEqual(['b', 'c', 'g', 'top']);
    expect((await list()).find(({ code }) => code === rootCode)).toMatchObject({
      parent_code: null,
      has_children: true,
    });
    const narrow = { locationRoots: [b] };
    expect((await list({}, narrow)).toSorted((x, y) => (x.code < y.code ? -1 : 1))).toEqual([
      { code: b, name: 'b', parent_code: null, entity_code: 'E1', has_children: true },
      { code: c, name: 'c', parent_code: b, entity_code: 'E1', has_children: false },
    ]);
    expect(await list({}, { locationRoots: [] })).toEqual([]);
    expect(await list({}, { entities: ['E2'] })).toEqual([]);
  });

  it('folders are filtered by parent, name and entity; hidden ones are absent', async () => {
    const { list, codeOf, rootCode } = await opened('narrow', tree);
    const [b, g] = [await codeOf('b'), await codeOf('g')];
    expect(Object.keys(named(await list({ parent_code: rootCode }))).toSorted()).toEqual(['b', 'g']);
    expect(Object.keys(named(await list({ query: 'NARR' })))).toEqual(['narrow']);
    expect(await list({ entity_code: 'E1' })).toHaveLength(4);
    const refused = async (input: object, claims: Claims = {}) => list(input, claims).catch((error: unknown) => error);
    const absent = await refused({ parent_code: 'L9999' });
    expect(absent).toMatchObject({ code: 'NOT_FOUND' });
    expect(await refused({ parent_code: g }, { locationRoots: [b] })).toEqual(absent);
    expect(await refused({ entity_code: 'E2' })).toEqual(absent);
    expect(await refused({ parent_code: b }, { focusIsStale: true, locationRoots: [] })).toMatchObject({
      code: 'CONTEXT_CONFLICT',
    });
  });

  it('each folder change on disk is published with the next revision', async () => {
    const { root, groupId, list, page, codeOf, scan } = await opened('change', tree);
    const [b, c, g] = [await codeOf('b'), await codeOf('c'), await codeOf('g')];
    const published = await bench.publishedFolders(groupId);
    expect(new Set(published.map(({ code }) => code)).size).toBe(4);
    await scan();
    expect(await bench.publishedFolders(groupId)).toEqual(published);

    renameSync(join(root, 'b'), join(root, 'renamed'));
    mkdirSync(join(root, 'empty'));
    await scan();
    expect(named(await list())).toMatchObject({ renamed: b, empty: expect.any(String) as string });
    const facts = await bench.publishedFolders(groupId);
    expect(facts.filter(({ code }) => code === b)).toMatchObject([
      { revision: 1, name: 'b', removed: false },
      { revision: 2, name: 'renamed', removed: false },
    ]);
    expect(facts.filter(({ code }) => code === c)).toHaveLength(2);

    rmSync(join(root, 'g'), { recursive: true });
    await scan();
    expect(Object.values(named(await list()))).not.toContain(g);
    expect((await bench.publishedFolders(groupId)).at(-1)).toMatchObject({ code: g, revision: 2, removed: true });
    const asked = (location_code: string) => bench.askAs(listDocuments, groupId, { location_code });
    await expect(asked(g)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await asked(await codeOf('empty'))).toMatchObject({ documents: [], total: 0 });
    await expect(page({ parent_code: g })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('folders stay when most disappear at once, until a user accepts it', async () => {
    const { root, list, scan } = await opened('gone', tree);
    for (const folder of ['b', 'g']) rmSync(join(root, folder), { recursive: true });
    expect((await scan())['notice']).toMatch(/gone at once/);
    expect(await list()).toHaveLength(4);
    await scan({ accept_deletions: true });
    expect(await list()).toHaveLength(1);
    bench.folder('gone', tree);
    await scan();
    expect(await list()).toHaveLength(4);
  });

  it('folders from before the event are published once, at the next scan', async () => {
    const { groupId, scan } = await opened('before', tree);
    await bench.database.write({ groupId }, (tx) =>
      tx.query('update ingestion.location set revision = 0 where group_id = $1', [groupId]),
    );
    const before = (await bench.publishedFolders(groupId)).length;
    await scan();
    await scan();
    expect((await bench.publishedFolders(groupId)).length).toBe(before + 4);
  });
});

describe('the pages of folders', () => {
  it('each remaining folder is listed once despite changes between pages', async () => {
    const { groupId, rootCode } = await opened('pages', {});
    const add = (code: string) =>
      bench.database.write({ groupId }, (tx) =>
        tx.query(
          `insert into ingestion.location (group_id, code, root_code, parent_code, name, relative_path, device, inode,
             entity_code, location_ancestors)
           values ($1, $2, $3, $3, $2, $2, 'd', $2, 'E1', array[$3, $2]) on conflict do nothing`,
          [groupId, code, rootCode],
        ),
      );
    const clear = () =>
      bench.database.write({ groupId }, (tx) =>
        tx.query(`delete from ingestion.location where group_id = $1 and code <> $2`, [groupId, rootCode]),
      );
    const code = fc.stringMatching(/^[a-cA-C0-9ñé._-]{1,3}$/);
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(code, { minLength: 1, maxLength: 12 }),
        fc.array(code, { maxLength: 6 }),
        fc.integer({ min: 1, max: 4 }),
        async (stay, added, limit) => {
          await clear();
          for (const each of stay) await add(`S${each}`);
          const seen: string[] = [];
          const waiting = [...added];
          let cursor: string | null = null;
          do {
            const page = (await bench.askAs(
              listLocations,
              groupId,
              { limit, ...(cursor === null ? {} : { cursor }) },
              { locationRoots: [rootCode] },
            )) as unknown as Page;
            seen.push(...page.locations.map((item) => item.code));
            expect(page.locations.length).toBeLessThanOrEqual(limit);
            cursor = page.next_cursor;
            const next = waiting.pop();
            if (next !== undefined) await add(`N${next}`);
          } while (cursor !== null);
          expect(new Set(seen).size).toBe(seen.length);
          expect(seen.filter((each) => each.startsWith('S')).toSorted()).toEqual(
            stay.map((each) => `S${each}`).toSorted(),
          );
        },
      ),
      { numRuns: 25 },
    );
  });

  it('a foreign, forged or changed cursor is refused', async () => {
    const { page, groupId } = await opened('cursors', tree);
    const cursor = String((await page({ limit: 1 })).next_cursor);
    const claims = { credentialId: 'another' };
    const turned = cursor.slice(0, -1) + (cursor.endsWith('A') ? 'B' : 'A');
    const refused = { code: 'INVALID_REQUEST' };
    for (const [input, as] of [
      [{ cursor: turned }, {}],
      [{ cursor: 'L2' }, {}],
      [{ cursor: `${cursor}=` }, {}],
      [{ cursor, query: 'b' }, {}],
      [{ cursor, entity_code: 'E1' }, {}],
      [{ cursor }, claims],
    ] as const)
      await expect(page(input, as)).rejects.toMatchObject(refused);
    const other = newGroup();
    await expect(bench.askAs(listLocations, other, { cursor, limit: 1 })).rejects.toMatchObject(refused);
    expect((await page({ cursor })).locations).toHaveLength(3);
    expect((await page({ cursor }, { locationRoots: [] })).locations).toEqual([]);
    expect(groupId).not.toBe(other);
  });
});

describe('the edges of a document', () => {
  it('the edges of a document are its visible folders and neighbours', async () => {
    const { groupId, codeOf, rootCode } = await opened('edges', tree);
    const [b, c] = [await codeOf('b'), await codeOf('c')];
    const { documents } = (await bench.askAs(listDocuments, groupId, { limit: 100 })) as {
      documents: { code: string; name: string }[];
    };
    const document = (name: string) => documents.find((each) => each.name === name)?.code ?? '';
    const edges = (name: string, input = {}, claims: Claims = {}) =>
      bench.askAs(getDocumentEdges, groupId, { document_code: document(name), ...input }, claims);
    expect(await edges('e.txt')).toMatchObject({
      document: { code: document('e.txt'), location_code: b },
      type_path: [],
      features: [],
      location_path: [
        { code: rootCode, name: 'edges' },
        { code: b, name: 'b' },
      ],
      neighbors_two_hops: [{ code: document('f.txt'), location_code: b, shared_edges: 1 }],
    });
    expect(await edges('d.txt', {}, { locationRoots: [b] })).toMatchObject({
      location_path: [
        { code: b, name: 'b' },
        { code: c, name: 'c' },
      ],
      neighbors_two_hops: [],
    });
    const absent = await bench
      .askAs(getDocumentEdges, groupId, { document_code: 'D9999' })
      .catch((error: unknown) => error);
    expect(absent).toMatchObject({ code: 'NOT_FOUND' });
    for (const claims of [{ locationRoots: [c] }, { entities: ['E2'] }, { activeEntity: 'E2' }])
      await expect(edges('e.txt', {}, claims)).rejects.toEqual(absent);
    await expect(bench.askAs(getDocumentEdges, newGroup(), { document_code: document('e.txt') })).rejects.toEqual(
      absent,
    );
  });
});
