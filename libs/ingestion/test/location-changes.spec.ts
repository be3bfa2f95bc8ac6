import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import {
  createLocation,
  deleteLocation,
  Forbidden,
  listDocuments,
  listLocations,
  listRoots,
  listRuns,
  NotFound,
  previewLocationDeletion,
  rebuildHierarchy,
  registerFolder,
  syncLocation,
  updateLocation,
} from '@acervo/contracts';
import {
  FolderDeleted,
  FolderHoldsKept,
  FolderNotOpen,
  FoldersOverlap,
  ScanAtWork,
} from '../src/locations/location.errors';
import { Bench, newGroup } from './bench';

type JsonObject = Record<string, unknown>;
const FILES = { 'a.txt': 'Uno.', 'b/c.txt': 'Dos.', 'b/d/e.txt': 'Tres.' };

describe('a location', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
  });
  afterAll(() => bench.close());

  /** A group with an opened folder, and a user of it. */
  const group = (groupId = newGroup()) => {
    const ask = (call: Parameters<Bench['askAs']>[0], input: JsonObject = {}, claims = {}) =>
      bench.askAs(call, groupId, input, { groupCode: 'G1', activeEntity: 'E1', ...claims }, 'operations');
    const documents = async (): Promise<JsonObject[]> =>
      (await bench.askAs(listDocuments, groupId, { limit: 100 }))['documents'] as JsonObject[];
    const sql = (text: string, ...values: unknown[]): Promise<JsonObject[]> =>
      bench.database.write({ groupId }, (tx) => tx.query<JsonObject>(text, [groupId, ...values]));
    return { groupId, ask, documents, sql };
  };
  const rootsOf = async (groupId: string): Promise<unknown> => (await bench.ask(listRoots, groupId, {}))['roots'];
  const created = async (name: string, files: Readonly<Record<string, string>> = FILES) => {
    const made = group();
    const path = bench.folder(`opened/${name}`, files);
    const { location_code } = await made.ask(createLocation, { path });
    await bench.work(made.groupId);
    return { ...made, path, location_code: String(location_code) };
  };

  it('a location is scanned when added; adding it twice is idempotent', async () => {
    const { groupId, ask, documents } = group();
    const path = bench.folder('opened/added', FILES);
    const first = await ask(createLocation, { path, entity_code: 'E1' });
    expect(first).toEqual({ location_code: 'L10000', name: 'added', created: true, run: 1 });
    expect(await rootsOf(groupId)).toEqual([{ path, deleted: false, awaits_run: true }]);
    expect(await ask(createLocation, { path })).toEqual({ ...first, created: false, run: 2 });
    await bench.work(groupId);
    expect(await rootsOf(groupId)).toEqual([{ path, deleted: false, awaits_run: false }]);
    expect((await documents()).map(({ name }) => name).sort()).toEqual(['a.txt', 'c.txt', 'e.txt']);
    await expect(ask(createLocation, { path: join(path, 'b') })).rejects.toThrow(FoldersOverlap);
  });

  it('product data and folders around it are refused, also through a link', async () => {
    const [groupId, link] = [newGroup(), join(bench.place, 'link')];
    symlinkSync(bench.folder('kept/objects', {}), link);
    for (const path of [bench.place, link])
      await expect(bench.ask(registerFolder, groupId, { path, entity_code: 'E1' })).rejects.toThrow(FolderHoldsKept);
    expect(await bench.ask(listRoots, groupId, {})).toEqual({ roots: [] });
  });

  it('unopened folders and entities that the caller lacks are refused', async () => {
    const { ask, sql } = group();
    const [path, closed] = [bench.folder('opened/part', FILES), bench.folder('closed', FILES)];
    await expect(ask(createLocation, { path: closed })).rejects.toThrow(FolderNotOpen);
    await expect(ask(createLocation, { path }, { groupCode: 'G2' })).rejects.toThrow(FolderNotOpen);
    await expect(ask(createLocation, { path, entity_code: 'E2' })).rejects.toThrow(NotFound);
    await expect(ask(createLocation, { path }, { locationRoots: ['L1'] })).rejects.toThrow(Forbidden);
    expect(await sql('select from ingestion.location where group_id = $1')).toEqual([]);
  });

  it('renaming a location changes the paths of its documents', async () => {
    const { groupId, ask, documents, location_code } = await created('renamed');
    await ask(updateLocation, { location_code, name: 'Actas' });
    await bench.work(groupId);
    const paths = (await documents()).map(({ fs }) => (fs as JsonObject)['path']).sort();
    expect(paths).toEqual(['/Actas/a.txt', '/Actas/b/c.txt', '/Actas/b/d/e.txt']);
    await expect(ask(updateLocation, { location_code, name: 'a/b' })).rejects.toThrow(/no meaning/);
  });

  it('a requested scan accepts deletions where the request does', async () => {
    const { groupId, ask, sql, location_code } = await created('synced');
    expect(await ask(syncLocation, { location_code, accept_deletions: true })).toEqual({ run: 2 });
    expect(await sql('select run, accept_deletions from ingestion.run where group_id = $1 and run = 2')).toEqual([
      { run: 2, accept_deletions: true },
    ]);
    await bench.work(groupId);
    const { runs } = await ask(listRuns);
    expect((runs as JsonObject[]).map(({ run, status }) => [run, status])).toEqual([
      [2, 'COMPLETED'],
      [1, 'COMPLETED'],
    ]);
  });

  it('a hidden location is absent for every change', async () => {
    const { ask, location_code } = await created('hidden');
    for (const claims of [{ locationRoots: ['L9'] }, { entities: ['E2'], activeEntity: null }])
      for (const call of [updateLocation, syncLocation, deleteLocation, previewLocationDeletion, rebuildHierarchy])
        await expect(ask(call, { location_code, name: 'x' }, claims)).rejects.toThrow(NotFound);
  });

  describe('a deletion', () => {
    it('a deleted location matches its preview, and its path is free again', async () => {
      const { groupId, ask, documents, sql, path, location_code } = await created('deleted');
      // Two of them are searchable already.
      await sql(`update ingestion.document set indexed_chunks = 1 where group_id = $1 and relative_path like 'b/%'`);
      const effect = { location_code, locations: 3, documents: 3, chunks: 2, waiting: 0, areas: 2 };
      bench.areaLinks = 2;
      expect(await ask(previewLocationDeletion, { location_code })).toEqual(effect);
      await bench.forget();
      expect(await ask(deleteLocation, { location_code })).toEqual({ ...effect, deleted: true });
      expect(await ask(listLocations)).toEqual({ locations: [], next_cursor: null });
      await expect(ask(deleteLocation, { location_code })).rejects.toThrow(NotFound);
      await bench.work(groupId);
      expect(await documents()).toEqual([]);
      expect(await bench.objectKeys(groupId)).toEqual([]);
      const published = await bench.publishedFolders(groupId);
      expect(published.map(({ code, removed }) => [code, removed])).toEqual([
        ['L10000', true],
        ['L10001', true],
        ['L10002', true],
      ]);
      expect(await bench.publishedFolders(groupId, 'locations.deleted.v1')).toEqual([
        { root_code: 'L10000', codes: ['L10000', 'L10001', 'L10002'] },
      ]);
      const again = await ask(createLocation, { path });
      expect(again).toMatchObject({ location_code: 'L10003', created: true });
      await bench.work(groupId);
      expect((await documents()).length).toBe(3);
    });

    it('deletion removes waiting work and what an earlier scan found', async () => {
      const { groupId, ask, documents, sql, location_code } = await created('busy', { 'a.txt': 'Uno.' });
      bench.folder('opened/busy', { 'z.txt': 'Dos.' });
      await ask(syncLocation, { location_code });
      await bench.workStage(groupId, 'scan');
      await ask(syncLocation, { location_code });
      await ask(deleteLocation, { location_code });
      await bench.work(groupId);
      expect(await documents()).toEqual([]);
      const waiting = `select stage from ingestion.task where group_id = $1 and status in ('WAITING', 'LEASED') and stage not in ('reconcile', 'rescan')`;
      expect(await sql(waiting)).toEqual([]);
      const [last] = (await ask(listRuns))['runs'] as JsonObject[];
      expect(last).toMatchObject({ run: 3, status: 'COMPLETED', notice: expect.stringMatching(/deleted/) as unknown });
    });

    it('deletion includes folders that an earlier scan registered late', async () => {
      const { groupId, ask, sql, location_code } = await created('late', { 'a.txt': 'Uno.' });
      await ask(deleteLocation, { location_code });
      await sql(
        `insert into ingestion.location (group_id, root_code, entity_code, code, parent_code, name, relative_path, device, inode,
           location_ancestors) values ($1, $2, 'E1', 'L77', $2, 'late', 'late', '1', '77', array[$2, 'L77'])`,
        location_code,
      );
      await bench.work(groupId);
      expect(await ask(listLocations)).toEqual({ locations: [], next_cursor: null });
      expect((await bench.publishedFolders(groupId, 'locations.deleted.v1'))[0]).toMatchObject({
        codes: [location_code, 'L77'],
      });
    });

    it('a deleted folder returns only by explicit registration', async () => {
      const { groupId, ask, path, location_code } = await created('again');
      await ask(deleteLocation, { location_code });
      await bench.work(groupId);
      expect(await rootsOf(groupId)).toEqual([{ path, deleted: true, awaits_run: false }]);
      await expect(bench.ask(registerFolder, groupId, { path, entity_code: 'E1' })).rejects.toThrow(FolderDeleted);
      const named = await bench.ask(registerFolder, groupId, { path, entity_code: 'E1', again: true });
      expect(named).toMatchObject({ location_code: 'L10003', created: true });
      expect(await rootsOf(groupId)).toEqual([{ path, deleted: false, awaits_run: false }]);
    });
  });

  describe('a repair of the tree', () => {
    const tree = `select code, parent_code, name, location_ancestors from ingestion.location where group_id = $1 order by code`;
    const places = `select code, location_code, location_ancestors, path from ingestion.document where group_id = $1 order by code`;

    it('the tree is repaired from the paths of its documents, idempotently', async () => {
      const { ask, sql, location_code } = await created('mixed');
      const before = [await sql(tree), await sql(places)];
      await sql(`update ingestion.location set parent_code = 'L10000', location_ancestors = '{L10000,L10002}', name = 'x'
        where group_id = $1 and code = 'L10002'`);
      await sql(`update ingestion.document set location_code = 'L10000', location_ancestors = '{L10000}', path = '/x'
        where group_id = $1 and relative_path like 'b/%'`);
      await bench.forget();
      expect(await ask(rebuildHierarchy, { location_code })).toEqual({
        ...{ location_code, locations: 1, documents: 2, remaining: 0 },
      });
      expect([await sql(tree), await sql(places)]).toEqual(before);
      expect(await ask(rebuildHierarchy, { location_code })).toMatchObject({
        locations: 0,
        documents: 0,
        remaining: 0,
      });
    });

    it('the tree is not repaired during a scan', async () => {
      const { ask, sql, location_code } = await created('scanned');
      await sql(
        `insert into ingestion.scan_turn values ($1, $2, gen_random_uuid(), 1, now() + interval '1 min')`,
        location_code,
      );
      await expect(ask(rebuildHierarchy, { location_code })).rejects.toThrow(ScanAtWork);
    });
  });
});
