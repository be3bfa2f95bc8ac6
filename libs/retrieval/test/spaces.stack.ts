import { randomUUID } from 'node:crypto';
import {
  type DocumentPrepared,
  NotFound,
  type SetOperation,
  type SpaceReading,
  type SpaceReadRequest,
} from '@acervo/contracts';
import { describeOnStack, until } from '@acervo/platform-testing';
import { type RankedVector, VectorIndex } from '../src/legs/ranking';
import { type DocumentInput, prepare, publishLocation, userScope, workScope } from './documents';
import { openOnStack } from './opensearch';
import { SpaceCalls, worked } from './spaces';
import type { Retrieval } from './support';

jest.setTimeout(120_000);

/** Documents by number: the first are shifts, those from 1,000 are signed, and the last are of another entity. */
const [ALL, SHIFTS, SIGNED_FROM, OTHERS_FROM] = [1_100, 1_050, 1_000, 1_090] as const;
const SENTENCE = 'La turbina mueve el agua de la acequia.';

/** Finds nothing, so that a search answers what the words find. */
class NoVectors extends VectorIndex {
  readonly engine = 'none';
  rank(): Promise<readonly RankedVector[]> {
    return Promise.resolve([]);
  }
}

describeOnStack('spaces on PostgreSQL with OpenSearch', ['postgres', 'opensearch'], () => {
  const groupId = randomUUID();
  const owner = userScope(groupId, { userId: randomUUID(), profile: 'USUARIO', credentialId: 'k' });
  const reader = userScope(groupId, { entities: ['E1'] });
  const ids: string[] = [];
  let retrieval: Retrieval;
  let calls: SpaceCalls;
  let [shifts, signed] = [0, 0];

  const inputOf = (index: number): DocumentInput => ({
    ...{ groupId, code: `D${String(index).padStart(5, '0')}`, name: `acta-${index}.txt` },
    texts: [`${SENTENCE} Es el acta número${index}.`, 'La comunidad reparte los turnos de cada semana. '.repeat(20)],
    typeCodes: [index < SHIFTS ? 'SHIFT' : 'MINUTES'],
    characteristics: index < SIGNED_FROM ? [] : ['SIGNED'],
    entityCode: index < OTHERS_FROM ? 'E1' : 'E2',
  });
  const handOverAll = async (): Promise<void> => {
    await publishLocation(retrieval, groupId, { code: 'L1', ancestors: ['L1', 'ROOT'] });
    const facts: DocumentPrepared[] = [];
    for (let index = 0; index < ALL; index += 1) facts.push(await prepare(retrieval, inputOf(index)));
    await retrieval.database.write({ groupId }, (tx) => retrieval.consumer.plan(workScope(groupId), tx, facts));
    while ((await retrieval.work(groupId, 'index')) > 0);
    ids.push(...facts.map(({ documentId }) => documentId));
  };
  /** Codes of the documents that a search by words finds in a space. */
  const found = async (spaceId: number, query: string, limit = 50): Promise<readonly string[]> => {
    const request = { query, limit, minSimilarity: 0, spaceId };
    const { documents } = await retrieval.searchWith({ vector: new NoVectors() }).search(owner, request);
    return documents.map(({ code }) => code);
  };
  const read = (
    spaceId: number,
    resolution: SpaceReadRequest['resolution'],
    over: Partial<SpaceReadRequest> = {},
    scope = owner,
  ): Promise<SpaceReading> => retrieval.spaceReading.read(scope, { spaceId, resolution, limit: 50, ...over });
  const versions = async (spaceId: number): Promise<number[]> => {
    const sql = `select distinct version from retrieval.space_member where group_id = $1 and space_id = $2`;
    const rows = await retrieval.database.read({ groupId }, (tx) =>
      tx.query<{ version: number }>(sql, [groupId, spaceId]),
    );
    return rows.map(({ version }) => version);
  };
  const purge = async (): Promise<void> => {
    const due = `update retrieval.task set not_before = now() where group_id = $1 and stage = 'purge-space'`;
    await retrieval.database.write({ groupId }, (tx) => tx.query(due, [groupId]));
    while ((await retrieval.work(groupId, 'purge-space')) > 0);
  };

  beforeAll(async () => {
    retrieval = await openOnStack();
    calls = await SpaceCalls.of(retrieval);
    await handOverAll();
  }, 240_000);
  afterAll(() => retrieval.close());

  it('criteria gather more documents than one transaction writes', async () => {
    shifts = await worked(retrieval, groupId, calls.gathered(owner, { documentTypes: ['SHIFT'] }));
    signed = await worked(retrieval, groupId, calls.gathered(owner, { characteristics: ['SIGNED'] }));
    expect(retrieval.notified).toContain('refresh-space');
    expect((await calls.get(owner, shifts)).space).toMatchObject({ documentCount: SHIFTS, isStale: false });
    expect((await calls.get(owner, signed)).space).toMatchObject({ documentCount: ALL - SIGNED_FROM, isStale: false });
  });

  it.each<[SetOperation, number, number]>([
    ['union', ALL, OTHERS_FROM],
    ['intersection', SHIFTS - SIGNED_FROM, SHIFTS - SIGNED_FROM],
    ['difference', SIGNED_FROM, SIGNED_FROM],
    ['symmetric_difference', ALL - (SHIFTS - SIGNED_FROM), OTHERS_FROM - (SHIFTS - SIGNED_FROM)],
  ])('%s has the documents of the operands that each reader sees', async (operation, all, seen) => {
    const composed = calls.compose(owner, operation, [shifts, signed], { spaceType: 'SPACE' });
    const { spaceId, documentCount, isStale } = await worked(retrieval, groupId, composed);
    expect({ documentCount, isStale }).toEqual({ documentCount: all, isStale: false });
    expect((await read(spaceId, 'count', {}, reader)).total).toBe(seen);
  });

  it('a space is read at four resolutions', async () => {
    expect(await read(shifts, 'count')).toEqual({ resolution: 'count', total: SHIFTS, items: [] });
    const manifest = await read(shifts, 'manifest', { limit: 500 });
    expect(manifest.total).toBe(SHIFTS);
    expect(manifest.items.map(({ code }) => code)).toEqual(
      Array.from({ length: 500 }, (_, index) => inputOf(index).code),
    );
    const chunks = await read(signed, 'chunks', { query: 'turbina acequia', limit: 500 });
    expect(chunks.items.length).toBeGreaterThan(0);
    expect(chunks.items.every(({ code }) => code >= `D0${SIGNED_FROM}`)).toBe(true);
    const { items, total } = await read(shifts, 'text', { limit: 3 });
    expect(total).toBe(SHIFTS);
    expect(items.map(({ text = '' }) => text.startsWith(SENTENCE) && text.length <= 2_000)).toEqual([true, true, true]);
  });

  it('words are found within a space, whichever documents the query of OpenSearch names', async () => {
    const [inBoth, inShifts, inSigned] = [1_020, 7, 1_060].map((index) => `número${index}`) as [string, string, string];
    const of = (index: number): readonly string[] => [inputOf(index).code ?? ''];
    // More than 1,000 members: the query names the other documents. Fewer: it names the members.
    await until('the engine finds the last documents', async () => (await found(shifts, inBoth)).length > 0);
    expect(await found(shifts, inShifts)).toEqual(of(7));
    expect(await found(shifts, inSigned)).toEqual([]);
    expect(await found(signed, inSigned)).toEqual(of(1_060));
    expect(await found(signed, inBoth)).toEqual(of(1_020));
    expect(await found(signed, inShifts)).toEqual([]);
    expect(await found(shifts, 'turbina', 2_000)).toHaveLength(SHIFTS);
    expect(await found(signed, 'turbina', 2_000)).toHaveLength(ALL - SIGNED_FROM);
  });

  it('a document that changes makes its spaces stale, and a refresh takes it in', async () => {
    const fact = { ...(await prepare(retrieval, inputOf(SHIFTS))), documentId: ids[SHIFTS] ?? '' };
    const changed = { ...fact, revision: 2, typeCodes: ['SHIFT'] };
    await retrieval.database.write({ groupId }, (tx) => retrieval.consumer.describe(workScope(groupId), tx, [changed]));
    expect((await calls.get(owner, shifts)).space).toMatchObject({ documentCount: SHIFTS, isStale: true });
    expect(await found(shifts, `número${SHIFTS}`)).toEqual([]);
    const refreshed = await worked(retrieval, groupId, calls.refresh(owner, shifts));
    expect(refreshed).toMatchObject({ documentCount: SHIFTS + 1, isStale: false });
    expect(await found(shifts, `número${SHIFTS}`)).toEqual([fact.code]);
    expect(await versions(shifts)).toHaveLength(2);
    await purge();
    expect(await versions(shifts)).toHaveLength(1);
  });

  it('a deleted space is gone with its members', async () => {
    await calls.delete(owner, shifts);
    await expect(calls.get(owner, shifts)).rejects.toThrow(NotFound);
    await expect(found(shifts, 'turbina')).rejects.toThrow(NotFound);
    await purge();
    expect(await versions(shifts)).toEqual([]);
    expect(await found(signed, 'turbina', 2_000)).toHaveLength(ALL - SIGNED_FROM);
  });
});
