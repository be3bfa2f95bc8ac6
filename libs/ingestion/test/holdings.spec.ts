import { countHoldings, describeLocations, listDocuments, registerFolder, startRun } from '@acervo/contracts';
import { Bench, newGroup } from './bench';

type Plain = Record<string, unknown>;

describe('what auth asks about folders', () => {
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
  }, 60_000);
  afterAll(() => bench.close());

  const ask = (call: Parameters<Bench['askAs']>[0], input: Plain, group = groupId): Promise<Plain> =>
    bench.askAs(call, group, input, {}, 'auth');

  it('is answered for folders of the group, whichever entity they belong to', async () => {
    const { locations } = await ask(describeLocations, { codes: [codes['dos'], codes['uno'], 'L999'] });
    expect(locations).toEqual([
      { code: codes['uno'], name: 'uno', entity_code: 'E1' },
      { code: codes['dos'], name: 'dos', entity_code: 'E2' },
    ]);
    expect(await ask(describeLocations, { codes: [codes['uno']] }, newGroup())).toEqual({ locations: [] });
  });
  it('counts folders and documents of an entity, or of folders and everything below them', async () => {
    expect(await ask(countHoldings, { entity_code: 'E1' })).toEqual({ locations: 2, documents: 3 });
    expect(await ask(countHoldings, { location_codes: [codes['sub of E1']] })).toEqual({ locations: 1, documents: 2 });
    expect(await ask(countHoldings, { location_codes: [codes['uno'], codes['sub of E1'], codes['dos']] })).toEqual({
      locations: 4,
      documents: 6,
    });
    expect(await ask(countHoldings, { entity_code: 'E1' }, newGroup())).toEqual({ locations: 0, documents: 0 });
  });
  it('counts no document that was deleted', async () => {
    const { documents } = await bench.askAs(listDocuments, groupId, { limit: 1, page: 1 });
    const [first] = documents as { code: string }[];
    await bench.database.write({ groupId }, (tx) =>
      tx.query(`update ingestion.document set deleted_at = now() where group_id = $1 and code = $2`, [
        groupId,
        first?.code,
      ]),
    );
    expect(await ask(countHoldings, { entity_code: 'E1' })).toEqual({ locations: 2, documents: 2 });
  });
});
