import { randomUUID } from 'node:crypto';
import type { Space } from '@acervo/contracts';
import { NotTransferred } from '@acervo/platform-database';
import { tenantTablesOf } from '@acervo/platform-testing';
import type { Scope } from '@acervo/rbac';
import { leftBehind, spaceTables } from '../src/spaces/transfer/tables';
import { userScope } from './documents';
import { placeDocuments, type PlacedDocument, SpaceCalls } from './spaces';
import { SpaceTransfers } from './space-transfers';
import { openRetrieval, type Retrieval } from './support';

jest.setTimeout(60_000);

const MANY = 1_100;
const [userId, other] = [randomUUID(), randomUUID()];

const documentsOf = (type: string, count: number): PlacedDocument[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ documentId: randomUUID(), code: `${type}${String(index).padStart(5, '0')}`, types: [type] },
  }));
const documents = [...documentsOf('A', 3), ...documentsOf('B', 2)];
const [, second, third, fourth] = documents.map(({ documentId }) => documentId);

describe('the transfer of spaces to another installation', () => {
  let [source, target]: [Retrieval, Retrieval] = [] as never;
  let [from, to]: [SpaceCalls, SpaceCalls] = [] as never;
  let [exporting, importing]: [SpaceTransfers, SpaceTransfers] = [] as never;
  let groupId: string;
  let owner: Scope;

  beforeAll(async () => {
    source = await openRetrieval();
    target = await openRetrieval();
    [from, to] = [await SpaceCalls.of(source), await SpaceCalls.of(target)];
    [exporting, importing] = [await SpaceTransfers.of(source), await SpaceTransfers.of(target)];
  });
  afterAll(async () => {
    await source.close();
    await target.close();
  });
  beforeEach(async () => {
    groupId = randomUUID();
    owner = userScope(groupId, { userId, profile: 'USUARIO', credentialId: 'k' });
    await placeDocuments(source, groupId, documents);
  });

  /** Gives a space its list, as a promotion or a query leaves it. */
  const list = (spaceId: number, ids: readonly (string | undefined)[], query?: string): Promise<void> =>
    source.database.write({ groupId }, async (tx) => {
      const criteria = query === undefined ? null : JSON.stringify({ query });
      await tx.query(
        `update retrieval.space set criteria = $4, listed = $3, version = 1, requested = 1, refreshed_at = now()
         where group_id = $1 and space_id = $2`,
        [groupId, spaceId, ids, criteria],
      );
      await tx.query(`insert into retrieval.space_member select $1, $2, 1, unnest($3::uuid[])`, [
        groupId,
        spaceId,
        ids,
      ]);
    });
  const transfer = async (): Promise<void> => importing.imports(groupId, await exporting.exported(groupId));
  const pages = async (): Promise<number> =>
    (await source.database.read({ groupId }, (tx) => tx.query('select from retrieval.export_page'))).length;
  const tasks = async (): Promise<number> =>
    (
      await source.database.read({ groupId }, (tx) =>
        tx.query(`select from retrieval.task where stage = 'expire-snapshot'`),
      )
    ).length;
  const described = (spaces: readonly Space[]) =>
    spaces.map(({ documentCount: _count, refreshedAt: _at, isStale: _stale, ...described }) => described);

  it('every tenant table is transferred or left out with a reason', async () => {
    const tables = await tenantTablesOf(source.db, 'retrieval');
    const listed = [...spaceTables.map(({ name }) => name), ...leftBehind];
    // Vectors are embedded again.
    expect(tables.filter((name) => !name.startsWith('vector'))).toEqual([...listed].sort());
  });

  it('spaces keep number, texts, owner and definition, and are stale until gathered', async () => {
    const byCriteria = await from.create(owner, {
      ...{ name: 'Actas', description: 'De obras', entityCode: 'E1', criteria: { documentTypes: ['A'] } },
    });
    const fixed = await from.create(owner, { name: 'Elegidos' });
    await list(fixed.spaceId, [second, fourth]);
    await from.promote(owner, fixed.spaceId);
    const composed = await from.compose(owner, 'union', [byCriteria.spaceId, fixed.spaceId]);
    await from.create(owner, { name: 'Vacío' });
    await from.delete(owner, (await from.create(owner)).spaceId);
    for (let times = 0; times < 2; times += 1) await transfer();
    const { spaces } = await to.list(owner);
    expect(described(spaces)).toEqual(described((await from.list(owner)).spaces));
    expect(spaces.map(({ refreshedAt, documentCount }) => [refreshedAt, documentCount])).toEqual(
      Array.from({ length: 4 }, () => [null, 0]),
    );
    // An empty space has nothing to gather.
    expect(spaces.map(({ isStale }) => isStale)).toEqual([false, true, true, true]);
    expect(composed.expression).toEqual(spaces.find(({ spaceId }) => spaceId === composed.spaceId)?.expression);
    expect((await to.create(owner)).spaceId).toBe(6);
  });

  it('imported spaces are gathered once, each after its operands', async () => {
    const a = await from.gathered(owner, { documentTypes: ['A'] });
    const fixed = (await from.create(owner)).spaceId;
    await list(fixed, [second, fourth]);
    const found = (await from.create(owner)).spaceId;
    await list(found, [third], 'agua');
    const both = (await from.compose(owner, 'union', [a, fixed])).spaceId;
    const one = (await from.compose(owner, 'difference', [both, a])).spaceId;
    await transfer();
    await placeDocuments(target, groupId, documents);
    expect(await importing.gatherAll(groupId)).toEqual([a, fixed, found, both, one]);
    for (const spaceId of [a, fixed, found, both, one])
      expect([await to.codes(owner, spaceId), spaceId]).toEqual([await from.codes(owner, spaceId), spaceId]);
    const { spaces } = await to.list(owner);
    expect(spaces.every(({ isStale, refreshedAt }) => !isStale && refreshedAt !== null)).toBe(true);
    expect(await importing.ungathered(groupId)).toEqual({ spaces: [], running: 0 });
  });

  it('a space whose operand was deleted keeps its documents and stays stale', async () => {
    const [a, b] = [
      await from.gathered(owner, { documentTypes: ['A'] }),
      await from.gathered(owner, { documentTypes: ['B'] }),
    ];
    const both = (await from.compose(owner, 'union', [a, b])).spaceId;
    await from.refresh(owner, both);
    const onTop = (await from.compose(owner, 'difference', [both, a])).spaceId;
    await from.delete(owner, b);
    const exported = await exporting.exported(groupId);
    expect(exported['space_member']?.length).toBe(5);
    for (let times = 0; times < 2; times += 1) await importing.imports(groupId, exported);
    await placeDocuments(target, groupId, documents);
    await importing.gatherAll(groupId);
    expect(await to.codes(owner, both)).toEqual(documents.map(({ code }) => code));
    expect(await to.codes(owner, onTop)).toEqual(await from.codes(owner, onTop));
    expect(await to.refresh(owner, both)).toMatchObject({ documentCount: 5, isStale: true });
  });

  it('composed spaces wait for operands that are gathered in the background', async () => {
    await placeDocuments(source, groupId, documentsOf('C', 1));
    const large = await from.gathered(owner, { documentTypes: ['C'] });
    const both = (await from.compose(owner, 'union', [large, await from.gathered(owner, { documentTypes: ['A'] })]))
      .spaceId;
    await transfer();
    await placeDocuments(target, groupId, [...documents, ...documentsOf('C', MANY)]);
    await importing.gather(groupId, large);
    await importing.gather(groupId, large);
    expect(target.notified).toContain('refresh-space');
    expect(await importing.ungathered(groupId)).toEqual({ spaces: [{ spaceId: large + 1 }], running: 1 });
    expect(await importing.gatherAll(groupId)).toEqual([large + 1, both]);
    expect((await to.get(owner, both)).space).toMatchObject({ documentCount: MANY + 3, isStale: false });
  });

  it('a space that a user refreshed since stays as it is', async () => {
    const a = await from.gathered(owner, { documentTypes: ['A'] });
    await transfer();
    await placeDocuments(target, groupId, documents.slice(0, 1));
    const refreshed = await to.refresh(owner, a);
    await importing.gather(groupId, a);
    expect((await to.get(owner, a)).space).toEqual(refreshed);
  });

  it('pages are as of one moment and belong to their group', async () => {
    for (let count = 0; count < 60; count += 1) await from.create(owner, { name: `n${count}` });
    const snapshot = await exporting.snapshot(groupId);
    await from.delete(owner, 1);
    await from.update(owner, { spaceId: 2, name: 'Otro' });
    const { space = [], space_counter: counter } = await exporting.rows(groupId, snapshot);
    expect(space.map((row) => row['name'])).toEqual(Array.from({ length: 60 }, (_, at) => `n${at}`));
    expect(counter).toEqual([{ value: 60 }]);
    expect(await exporting.rows(other, snapshot)).toEqual({
      ...{ space: [], space_counter: [], space_member: [], allowance: [], retrieval_count: [] },
    });
    await exporting.drop(other, snapshot);
    expect(await exporting.rows(groupId, snapshot)).toMatchObject({ space_counter: [{ value: 60 }] });
    await exporting.drop(groupId, snapshot);
    expect([await pages(), await tasks()]).toEqual([0, 0]);
  });

  it('an abandoned snapshot is dropped after an hour', async () => {
    await from.create(owner);
    await exporting.snapshot(groupId);
    expect([await source.work(groupId, 'expire-snapshot'), await pages()]).toEqual([0, 2]);
    await source.database.write({ groupId }, (tx) =>
      tx.query(`update retrieval.task set not_before = not_before - interval '61 minutes' where group_id = $1`, [
        groupId,
      ]),
    );
    expect([await source.work(groupId, 'expire-snapshot'), await pages()]).toEqual([1, 0]);
  });

  it('writing an unlisted table is refused', async () => {
    await expect(importing.imports(groupId, { document: [] })).rejects.toThrow(NotTransferred);
  });
});
