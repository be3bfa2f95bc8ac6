import {
  type Call,
  getDocument,
  getDocumentEdges,
  listDocuments,
  listLocations,
  registerFolder,
  type ScopeClaims,
  startRun,
} from '@acervo/contracts';
import { Bench, newGroup } from './bench';
import { ClassifiedDocuments } from './classified-documents';

type JsonObject = Record<string, unknown>;
type Claims = Partial<ScopeClaims>;

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
});
afterAll(() => bench.close());

/** A group with one file for each name, and what classification says of them. */
const opened = async (folder: string, names: readonly string[]) => {
  const groupId = newGroup();
  const path = bench.folder(folder, Object.fromEntries(names.map((name) => [name, `El texto de ${name}.`])));
  const { location_code } = await bench.ask(registerFolder, groupId, { path, entity_code: 'E1' });
  await bench.ask(startRun, groupId, { location_code });
  const ask = (call: Call, input: JsonObject, claims: Claims = {}): Promise<JsonObject> =>
    bench.askAs(call, groupId, input, claims);
  const list = async (claims: Claims = {}): Promise<JsonObject[]> =>
    (await ask(listDocuments, { limit: 100 }, claims))['documents'] as JsonObject[];
  const codes = new Map((await list()).map(({ code, name }) => [String(name), String(code)]));
  const codeOf = (name: string): string => codes.get(`${name}.txt`) ?? '';
  const edges = (name: string, input: JsonObject = {}, claims: Claims = {}) =>
    ask(getDocumentEdges, { document_code: codeOf(name), ...input }, claims);
  const neighbors = async (name: string, input: JsonObject = {}, claims: Claims = {}) =>
    ((await edges(name, input, claims))['neighbors_two_hops'] as JsonObject[]).map(
      (each) => `${String(each['name']).replace('.txt', '')} ${String(each['shared_edges'])}`,
    );
  const folders = (await ask(listLocations, { limit: 100 }))['locations'] as JsonObject[];
  const folderOf = (name: string) => String(folders.find((each) => each['name'] === name)?.['code']);
  return {
    groupId,
    ask,
    list,
    codeOf,
    edges,
    neighbors,
    folderOf,
    classified: new ClassifiedDocuments(bench.database, groupId),
  };
};

describe('the type and the features of a document', () => {
  it('list and detail carry the type, which vanishes with its deletion', async () => {
    const { ask, list, codeOf, classified } = await opened('types', ['a.txt', 'b.txt']);
    const types = async () => (await list()).map((each) => each['document_type_code']);
    const detail = async () => (await ask(getDocument, { document_code: codeOf('a') }))['document_type_code'];
    expect([await types(), await detail()]).toEqual([[null, null], null]);
    await classified.type(codeOf('a'), ['CONTRACT', 'LEASE']);
    expect([await types(), await detail()]).toEqual([['LEASE', null], 'LEASE']);
    await classified.deleteType('LEASE');
    expect([await types(), await detail()]).toEqual([[null, null], null]);
  });

  it('edges name the type from its root, and features with their evidence', async () => {
    const { codeOf, edges, classified } = await opened('paths', ['a.txt']);
    await classified.type(codeOf('a'), ['PAPER', 'CONTRACT', 'LEASE']);
    await classified.features(codeOf('a'), 'LEASE', [
      { category: 'RENT', code: 'AMOUNT', value: '1234.50 EUR', quote: '1.234,50 €', confidence: 0.9 },
      { category: 'FORM', code: 'SIGNED', quote: 'Firmado' },
    ]);
    expect(await edges('a')).toMatchObject({
      document: { code: codeOf('a'), document_type_code: 'LEASE' },
      type_path: [
        { code: 'PAPER', name: 'Tipo PAPER' },
        { code: 'CONTRACT', name: 'Tipo CONTRACT' },
        { code: 'LEASE', name: 'Tipo LEASE' },
      ],
      features: [
        {
          ...{
            category_code: 'FORM',
            code: 'SIGNED',
            name: 'Rasgo SIGNED',
            value: null,
            source: 'RULE',
            confidence: 1,
          },
          evidence: { page: 2, start_at: 10, end_at: 17, quote: 'Firmado' },
        },
        {
          ...{ category_code: 'RENT', code: 'AMOUNT', value: '1234.50 EUR', source: 'RULE', confidence: 0.9 },
          evidence: { page: 2, start_at: 10, end_at: 20, quote: '1.234,50 €' },
        },
      ],
    });
    await classified.deleteFeature('SIGNED');
    expect((await edges('a'))['features']).toMatchObject([{ code: 'AMOUNT' }]);
    await classified.deleteType('LEASE');
    expect(await edges('a')).toMatchObject({ type_path: [], features: [] });
  });
});

describe('neighbours two steps away', () => {
  it('more and rarer shared edges precede common ones', async () => {
    const names = ['own/a', 'own/near', 'far/type', 'far/rare', 'far/common1', 'far/common2', 'far/none', 'far/both'];
    const { codeOf, neighbors, classified } = await opened(
      'ranked',
      names.map((name) => `${name}.txt`),
    );
    for (const name of ['a', 'type', 'both']) await classified.type(codeOf(name), ['CONTRACT']);
    const rare = { category: 'PARTY', code: 'ACME', value: 'Acme' };
    const common = { category: 'FORM', code: 'SIGNED' };
    for (const name of ['a', 'rare']) await classified.features(codeOf(name), 'CONTRACT', [rare]);
    for (const name of ['a', 'near', 'common1', 'common2', 'both'])
      await classified.features(codeOf(name), 'CONTRACT', [common]);
    // Documents with each edge: folder 2, ACME 2, CONTRACT 3, SIGNED 5.
    expect(await neighbors('a')).toEqual(['near 2', 'both 2', 'rare 1', 'type 1', 'common1 1', 'common2 1']);
    expect(await neighbors('a', { neighbor_limit: 3 })).toEqual(['near 2', 'both 2', 'rare 1']);
    await classified.deleteFeature('SIGNED');
    expect(await neighbors('a')).toEqual(expect.arrayContaining(['near 1', 'rare 1', 'type 1', 'both 1']));
  });

  it('hidden documents are no neighbours and make no edge common', async () => {
    const names = ['own/a', 'seen/t', 'seen/f1', 'seen/f2', 'hidden/h1', 'hidden/h2', 'hidden/h3'];
    const { codeOf, neighbors, folderOf, classified } = await opened(
      'hidden',
      names.map((name) => `${name}.txt`),
    );
    for (const name of ['a', 't', 'h1', 'h2', 'h3']) await classified.type(codeOf(name), ['CONTRACT']);
    for (const name of ['a', 'f1', 'f2'])
      await classified.features(codeOf(name), 'CONTRACT', [{ category: 'FORM', code: 'SIGNED' }]);
    expect(await neighbors('a')).toEqual(['f1 1', 'f2 1', 'h1 1', 'h2 1', 'h3 1', 't 1']);
    const claims = { locationRoots: [folderOf('own'), folderOf('seen')] };
    expect(await neighbors('a', {}, claims)).toEqual(['t 1', 'f1 1', 'f2 1']);
  });

  it('documents of another group with the same codes are no neighbours', async () => {
    const [one, other] = [await opened('group-one', ['a.txt', 'b.txt']), await opened('group-two', ['a.txt', 'c.txt'])];
    for (const { codeOf, classified } of [one, other]) {
      await classified.type(codeOf('a'), ['CONTRACT']);
      await classified.features(codeOf('a'), 'CONTRACT', [{ category: 'FORM', code: 'SIGNED' }]);
    }
    expect(await one.neighbors('a')).toEqual(['b 1']);
    expect(await other.neighbors('a')).toEqual(['c 1']);
    await other.classified.features(other.codeOf('c'), 'CONTRACT', [{ category: 'FORM', code: 'SIGNED' }]);
    expect(await one.neighbors('a')).toEqual(['b 1']);
    expect(await other.neighbors('a')).toEqual(['c 2']);
  });

  it('a deleted document is no neighbour', async () => {
    const { groupId, codeOf, neighbors, classified } = await opened('deleted', ['x/a.txt', 'y/b.txt']);
    for (const name of ['a', 'b']) await classified.type(codeOf(name), ['CONTRACT']);
    expect(await neighbors('a')).toEqual(['b 1']);
    await bench.database.write({ groupId }, (tx) =>
      tx.query(`update ingestion.document set deleted_at = now() where code = $1`, [codeOf('b')]),
    );
    expect(await neighbors('a')).toEqual([]);
  });
});
