import { countContents, describeLocations, listDocuments, registerFolder, startRun } from '@acervo/contracts';
import { Bench, newGroup } from './bench';

type JsonObject = Record<string, unknown>;

describe('the contents of folders for auth', () => {
  let bench: Bench;
  let groupId: string;
  /** Codes by the name of the folder. */
  const codes: Record<string, string> = {};
  beforeAll(async () => {
    bench = await Bench.open();
    groupId = newGroup();
    for (const [name, entity_code] of [
      ['uno', 'E1'],
      ['dos', 'E2'],
    ] as const) {
      const path = bench.folder(name, { 'a.txt': 'Uno.', 'sub/b.txt': 'Dos.', 'sub/c.txt': 'Tres.' });
      const { location_code } = await bench.ask(registerFolder, groupId, { path, entity_code });
      await bench.ask(startRun, groupId, { location_code });
    }
    const rows = await bench.database.read({ groupId }, (tx) =>
      tx.query<{ code: string; name: string }>(
        `select code, case when parent_code is null then name else 'sub of ' || entity_code end as name from ingestion.location`,
      ),
    );
    for (const { code, name } of rows) codes[name] = code;
  });
  afterAll(() => bench.close());

  const ask = (call: Parameters<Bench['askAs']>[0], input: JsonObject, group = groupId): Promise<JsonObject> =>
    bench.askAs(call, group, input, {}, 'auth');

  it('folders of the group are found in every entity', async () => {
    const { locations } = await ask(describeLocations, { codes: [codes['dos'], codes['uno'], 'L999'] });
    expect(locations).toEqual([
      { code: codes['uno'], name: 'uno', entity_code: 'E1' },
      { code: codes['dos'], name: 'dos', entity_code: 'E2' },
    ]);
    expect(await ask(describeLocations, { codes: [codes['uno']] }, newGroup())).toEqual({ locations: [] });
  });
  it('folders and documents are counted by entity or by folder', async () => {
    expect(await ask(countContents, { entity_code: 'E1' })).toEqual({ locations: 2, documents: 3, document_types: 0 });
    expect(await ask(countContents, { location_codes: [codes['sub of E1']] })).toEqual({
      locations: 1,
      documents: 2,
      document_types: 0,
    });
    expect(await ask(countContents, { location_codes: [codes['uno'], codes['sub of E1'], codes['dos']] })).toEqual({
      locations: 4,
      documents: 6,
      document_types: 0,
    });
    expect(await ask(countContents, { entity_code: 'E1' }, newGroup())).toMatchObject({ locations: 0, documents: 0 });
  });
  it('deleted documents are not counted', async () => {
    const { documents } = await bench.askAs(listDocuments, groupId, { limit: 1, page: 1 });
    const [first] = documents as { code: string }[];
    await bench.database.write({ groupId }, (tx) =>
      tx.query(`update ingestion.document set deleted_at = now() where group_id = $1 and code = $2`, [
        groupId,
        first?.code,
      ]),
    );
    expect(await ask(countContents, { entity_code: 'E1' })).toMatchObject({ locations: 2, documents: 2 });
  });
});
