import { foldersTransfer, ingestionProgress, registerFolder, startRun } from '@acervo/contracts';
import { tenantTablesOf } from '@acervo/platform-testing';
import { folderTables, leftBehind } from '../src/exports/tables';
import { TaxonomyStore } from '../src/taxonomy/taxonomy.store';
import { Bench, newGroup } from './bench';

type JsonObject = Record<string, unknown>;

describe('the transfer of folders to another installation', () => {
  let [bench, other]: [Bench, Bench] = [] as never;
  beforeAll(async () => {
    bench = await Bench.open();
    other = await Bench.open();
  });
  afterAll(async () => {
    await bench.close();
    await other.close();
  });

  it('every tenant table is transferred or left out with a reason', async () => {
    const listedTables = [...folderTables.map(({ name }) => name), ...leftBehind];
    expect(await tenantTablesOf(bench.engine, 'ingestion')).toEqual([...listedTables].sort());
  });

  it('codes and tombstones are kept, so a scan ingests the same documents', async () => {
    const groupId = newGroup();
    const root = bench.folder('shelf', { 'sub/a.txt': 'Uno.', 'sub/gone.txt': 'Nadie.', 'b.txt': 'Dos.' });
    const folder = { path: root, entity_code: 'E1' };
    const location = String((await bench.ask(registerFolder, groupId, folder))['location_code']);
    await bench.ask(startRun, groupId, { location_code: location });
    await bench.work(groupId);
    const listed = `select code, name, deleted_at is not null as deleted from ingestion.document
      where group_id = $1 order by code`;
    await bench.database.write({ groupId }, (tx) =>
      tx.query(`update ingestion.document set deleted_at = now() where group_id = $1 and name = 'gone.txt'`, [groupId]),
    );
    await bench.database.write({ groupId }, async (tx) => {
      // A type before the type above it, in the order of codes.
      const written = [
        `insert into ingestion.web_root (group_id, location_code, start_urls, topic, research)
           select group_id, code, '{https://site.example/}', 'x', '{}' from ingestion.location where group_id = $1 and parent_code is null`,
        `insert into ingestion.web_page (group_id, location_code, url, decision, object, absences)
           select group_id, location_code, start_urls[1], 'APPROVED', 'x', 1 from ingestion.web_root where group_id = $1`,
        `insert into ingestion.taxonomy (group_id, version) values ($1, 7)`,
        `insert into ingestion.document_type (group_id, code, name, parent_code) values ($1, 'A', 'x', 'B'), ($1, 'B', 'x', null)`,
        `insert into ingestion.type_example (group_id, type_code, document_id)
           select group_id, 'A', document_id from ingestion.document where group_id = $1 and name = 'a.txt'`,
        `insert into ingestion.feature_category (group_id, code, type_code, name, kind) values ($1, 'C', 'A', 'x', 'CHARACTERISTIC')`,
        `insert into ingestion.feature (group_id, category_code, code, name, pattern) values ($1, 'C', 'F', 'x', 'y+')`,
      ];
      for (const sql of written) await tx.query(sql, [groupId]);
    });
    const taxonomyOf = ({ database }: Bench) => database.read({ groupId }, (tx) => new TaxonomyStore().load(tx));
    const before = await bench.database.read({ groupId }, (tx) => tx.query(listed, [groupId]));
    const taken = await bench.ask(foldersTransfer.take, groupId, {});
    const snapshot = { snapshot_id: taken['snapshot_id'] };
    const tables = folderTables.map(({ name }) => name);
    expect(taken['tables']).toEqual(tables.map((table) => ({ table, pages: 1 })));
    for (const table of tables) {
      const { rows } = await bench.ask(foldersTransfer.read, groupId, { ...snapshot, table, page: 0 });
      expect(JSON.stringify(rows)).not.toMatch(/Uno|Nadie|_object/);
      await other.ask(foldersTransfer.write, groupId, { table, rows });
    }
    await bench.ask(foldersTransfer.drop, groupId, snapshot);
    expect(await bench.ask(foldersTransfer.read, groupId, { ...snapshot, table: 'document', page: 0 })).toEqual({
      rows: [],
    });
    expect(await other.ask(ingestionProgress, groupId, {})).toMatchObject({
      waiting: 0,
      counts: [{ status: 'MISSING', documents: 2 }],
    });
    expect(await taxonomyOf(other)).toEqual(await taxonomyOf(bench));
    // Decisions are transferred, what sites answered is not.
    const pages = `select url, decision, object, absences, r.research from ingestion.web_page p
      join ingestion.web_root r using (group_id, location_code) where group_id = $1`;
    expect(await other.database.read({ groupId }, (tx) => tx.query(pages, [groupId]))).toEqual([
      { url: 'https://site.example/', decision: 'APPROVED', object: null, absences: 0, research: null },
    ]);
    expect((await taxonomyOf(other)).types[0]?.boundary.examples).toHaveLength(1);
    expect((await other.ask(registerFolder, groupId, folder))['location_code']).toBe(location);
    const run = await other.ask(startRun, groupId, { location_code: location });
    expect(run).toMatchObject({ seen: 3, added: 0, missing: 0 });
    await other.work(groupId);
    const classes = `select taxonomy_version::int as version from ingestion.document_class where group_id = $1`;
    expect(await other.database.read({ groupId }, (tx) => tx.query(classes, [groupId]))).toEqual([
      { version: 7 },
      { version: 7 },
    ]);
    expect(await other.database.read({ groupId }, (tx) => tx.query(listed, [groupId]))).toEqual(before);
    const ingested = (await other.published()).filter(({ topic }) => topic === 'document.prepared.v1');
    expect(ingested.map(({ payload }) => (payload as JsonObject)['name']).sort()).toEqual(['a.txt', 'b.txt']);
  });
});
