import { getDocumentEdges, listDocuments, registerFolder, startRun } from '@acervo/contracts';
import type { Database, Transaction } from '@acervo/platform-database';
import { BY_KEY, MOST_OF_AN_EDGE, neighborsStatement } from '../src/documents/neighbors';
import { Bench, newGroup } from './bench';

type JsonObject = Record<string, unknown>;

const MANY = 4_000;

interface Plan {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/** Rows that a plan read of a table. */
const rowsOf = (plan: Plan, table: string): number => {
  const rows =
    plan['Relation Name'] === table
      ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
      : 0;
  return (plan.Plans ?? []).reduce((sum, each) => sum + rowsOf(each, table), rows);
};

/** The statements of some work on the database. */
const statementsOf = async (database: Database, work: () => Promise<unknown>): Promise<readonly string[]> => {
  const sent: string[] = [];
  const read = database.read.bind(database);
  const watched = (tx: Transaction): Transaction => ({
    groupId: tx.groupId,
    query: (sql, params) => (sent.push(sql), tx.query(sql, params)),
    prepared: (sql, params) => (sent.push(sql), tx.prepared(sql, params)),
  });
  const spy = jest
    .spyOn(database, 'read')
    .mockImplementation((scope, use, local) => read(scope, (tx) => use(watched(tx)), local));
  await work();
  spy.mockRestore();
  return sent;
};

describe(`a type with ${MANY} documents`, () => {
  let bench: Bench;
  const groupId = newGroup();
  let code: string;
  let documentId: string;
  let locationCode: string;
  beforeAll(async () => {
    bench = await Bench.open();
    const path = bench.folder('large', { 'a.txt': 'Uno.' });
    const { location_code } = await bench.ask(registerFolder, groupId, { path, entity_code: 'E1' });
    await bench.ask(startRun, groupId, { location_code });
    const { documents } = (await bench.askAs(listDocuments, groupId, {})) as { documents: JsonObject[] };
    [code, locationCode] = [String(documents[0]?.['code']), String(documents[0]?.['location_code'])];
    await bench.database.write({ groupId }, async (tx) => {
      const [first] = await tx.query<{ id: string }>(
        'select document_id as id from ingestion.document where group_id = $1 and code = $2',
        [groupId, code],
      );
      documentId = first?.id ?? '';
      await tx.query(
        `insert into ingestion.document (group_id, code, location_code, root_code, location_ancestors, entity_code, name,
           relative_path, path, size, mtime, settings_hash, status)
         select group_id, 'M' || n, location_code, root_code, location_ancestors, case when n % 100 = 0 then 'E2' else 'E1' end,
           'm' || n, 'm' || n, '/large/m' || n, 1, '', '', status
         from ingestion.document, generate_series(1, $3::int) n where group_id = $1 and code = $2`,
        [groupId, code, MANY],
      );
      await tx.query(`insert into ingestion.document_type (group_id, code, name) values ($1, 'T', 'T')`, [groupId]);
      await tx.query(
        `insert into ingestion.feature_category (group_id, code, type_code, name, kind)
         values ($1, 'C', 'T', 'C', 'CHARACTERISTIC')`,
        [groupId],
      );
      await tx.query(
        `insert into ingestion.feature (group_id, category_code, code, name)
         select $1, 'C', code, code from unnest(array['ALL', 'RARE']) code`,
        [groupId],
      );
      await tx.query(
        `insert into ingestion.document_class (group_id, document_id, content_hash, taxonomy_version, type_code, source)
         select group_id, document_id, '', 1, 'T', 'RULE' from ingestion.document where group_id = $1`,
        [groupId],
      );
      await tx.query(
        `insert into ingestion.document_feature (group_id, document_id, category_code, code, source, confidence, start_at,
           end_at, quote)
         select group_id, document_id, 'C', f, 'RULE', 1, 0, 1, 'x' from ingestion.document, unnest(array['ALL', 'RARE']) f
         where group_id = $1 and (f = 'ALL' or code in ($2, 'M7', 'M8'))`,
        [groupId, code],
      );
    });
  });
  afterAll(() => bench.close());

  const neighbors = async (limit: number, claims: object = {}) =>
    (await bench.askAs(getDocumentEdges, groupId, { document_code: code, neighbor_limit: limit }, claims))[
      'neighbors_two_hops'
    ] as JsonObject[];

  it.each([1, 50, 500])('%s neighbours are exactly as many, the rarest edges first', async (limit) => {
    const found = await neighbors(limit);
    expect(found).toHaveLength(limit);
    expect(new Set(found.map((each) => each['code'])).size).toBe(limit);
    // Each document shares folder, type and ALL; two share RARE too.
    expect(found.slice(0, 2).map((each) => [each['code'], each['shared_edges']])).toEqual(
      [
        ['M7', 4],
        ['M8', 4],
      ].slice(0, limit),
    );
    expect(found.slice(2).every((each) => each['shared_edges'] === 3)).toBe(true);
  });

  it('a caller who sees one in a hundred gets all of them', async () => {
    await bench.database.write({ groupId }, (tx) =>
      tx.query(`update ingestion.document set entity_code = 'E2' where group_id = $1 and code = $2`, [groupId, code]),
    );
    expect(await neighbors(500, { entities: ['E2'] })).toHaveLength(MANY / 100);
    await bench.database.write({ groupId }, (tx) =>
      tx.query(`update ingestion.document set entity_code = 'E1' where group_id = $1 and code = $2`, [groupId, code]),
    );
  });

  it('the edges of a document take seven statements', async () => {
    const sent = await statementsOf(bench.database, () => neighbors(50));
    expect(sent).toHaveLength(7);
  });

  it('each edge is read up to its limit, with and without statistics', async () => {
    const visibility = { groupId, entities: ['E1'], locationRoots: null, locationCode: null };
    const { sql, params } = neighborsStatement(visibility, { documentId, locationCode }, 50, null);
    const plan = async (): Promise<Plan> => {
      const [row] = await bench.database.read(
        { groupId },
        (tx) => tx.query<{ 'QUERY PLAN': readonly { Plan: Plan }[] }>(`explain (analyze, format json) ${sql}`, params),
        BY_KEY,
      );
      const found = row?.['QUERY PLAN'][0]?.Plan;
      if (found === undefined) throw new Error('There is no plan.');
      return found;
    };
    for (const isAnalysed of [false, true]) {
      const tables = ['document', 'document_class', 'document_feature', 'document_type', 'feature'];
      for (const table of isAnalysed ? tables : [])
        await bench.engine.asOwner('ingestion', `analyze ingestion.${table}`);
      const read = await plan();
      expect(rowsOf(read, 'document_class')).toBeLessThan(1.5 * MOST_OF_AN_EDGE);
      expect(rowsOf(read, 'document_feature')).toBeLessThan(1.5 * MOST_OF_AN_EDGE);
      expect(rowsOf(read, 'document')).toBeLessThan(6 * MOST_OF_AN_EDGE);
    }
  });
});
