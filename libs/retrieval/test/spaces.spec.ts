import { randomUUID } from 'node:crypto';
import {
  ContextConflict,
  Forbidden,
  InvalidMeaning,
  NotFound,
  type SpaceCriteria,
  spaceDeleted,
} from '@acervo/contracts';
import type { DocumentStatus } from '@acervo/public-mapping';
import type { Scope } from '@acervo/rbac';
import { SpaceMembers } from '../src/space-members/space-members';
import { CriteriaRefused, SpaceConflict } from '../src/spaces/spaces.errors';
import { announce, type DocumentInput, handOver, prepare, userScope, withdraw } from './documents';
import { storeAsLastRelease } from './last-release';
import { criteriaOf, SpaceCalls } from './spaces';
import { openRetrieval, type Retrieval } from './support';

jest.setTimeout(30_000);

const groupId = randomUUID();
const DOCUMENTS: readonly Partial<DocumentInput>[] = [
  { code: 'ACTA', name: 'Acta (1).TXT', path: 'Raiz/Actas/2024/acta.txt', typeCodes: ['ACT'], language: 'es' },
  { code: 'CANAL', name: 'canal.txt', path: 'Raiz/canal.txt', attributes: ['AMOUNT'], language: 'es' },
  { code: 'LEASE', typeCodes: ['CONTRACT', 'LEASE'], characteristics: ['SIGNED'], changedAt: '2024-05-01T00:00:00Z' },
  { code: 'SALE', typeCodes: ['CONTRACT', 'SALE'], language: 'de', changedAt: '2023-05-01T00:00:00Z' },
  { code: 'OTHER', entityCode: 'E2', locationCode: 'L2', locationAncestors: ['L2', 'ROOT'], typeCodes: ['CONTRACT'] },
];
const ids = new Map<string, string>();
let retrieval: Retrieval;
let calls: SpaceCalls;

const user = (over: Parameters<typeof userScope>[1] = {}): Scope =>
  userScope(groupId, { userId: randomUUID(), profile: 'USUARIO', credentialId: 'k', ...over });
const owner = user();
const inE1 = user({ entities: ['E1'] });
const administrator = user({ profile: 'ADMINISTRADOR', entities: ['E1'] });
const fixed = user({ profile: 'ADMINISTRADOR', entities: ['E1'], isFixed: true });

beforeAll(async () => {
  retrieval = await openRetrieval();
  calls = await SpaceCalls.of(retrieval);
  for (const document of DOCUMENTS) {
    const { documentId, code } = await handOver(retrieval, {
      groupId,
      texts: [`Texto ${document.code}.`],
      ...document,
    });
    ids.set(code, documentId);
  }
});
afterAll(() => retrieval.close());

describe('criteria of a space', () => {
  it.each<[string, Partial<SpaceCriteria>, readonly string[]]>([
    ['a type with types below', { documentTypes: ['CONTRACT'] }, ['LEASE', 'OTHER', 'SALE']],
    ['any of two types', { documentTypes: ['LEASE', 'ACT'] }, ['ACTA', 'LEASE']],
    ['an attribute', { attributes: ['AMOUNT'] }, ['CANAL']],
    ['a characteristic', { characteristics: ['SIGNED'] }, ['LEASE']],
    ['a folder above', { locationCodes: ['ROOT'], documentTypes: ['CONTRACT'] }, ['LEASE', 'OTHER', 'SALE']],
    ['a folder', { locationCodes: ['L2'] }, ['OTHER']],
    ['a name', { name: 'acta (?).*' }, ['ACTA']],
    ['a path within a folder', { path: 'raiz/*/acta.txt' }, []],
    ['a path below', { path: 'raiz/**/ACTA.txt' }, ['ACTA']],
    ['a time', { changedSince: '2024-01-01T00:00:00Z' }, ['LEASE']],
    ['a language', { language: 'es' }, ['ACTA', 'CANAL']],
    ['a language and a type', { language: 'de', documentTypes: ['SALE'] }, ['SALE']],
    ['the state of a searched document', { status: 'VECTORIZADO' as DocumentStatus }, [...ids.keys()].toSorted()],
    ['a state of no searched document', { status: 'ERROR' as DocumentStatus }, []],
    ['an unknown code', { documentTypes: ['UNKNOWN'] }, []],
  ])('%s gathers its documents', async (_name, criteria, expected) => {
    const spaceId = await calls.gathered(owner, criteria);
    const codes = criteria.status === 'VECTORIZADO' ? [...ids.keys()].toSorted() : expected;
    expect(await calls.codes(owner, spaceId)).toEqual(codes);
    expect(await calls.get(owner, spaceId)).toMatchObject({
      space: { documentCount: codes.length, isStale: false, isOwn: true, type: 'AREA', criteria: criteria },
      totalDocuments: codes.length,
    });
  });

  it('without any criterion a space is refused', async () => {
    await expect(calls.gathered(owner, {})).rejects.toThrow(CriteriaRefused);
    await expect(calls.gathered(owner, { query: 'agua' }, { type: 'ESPACIO' })).rejects.toThrow(CriteriaRefused);
  });

  it('a space without criteria is empty and not stale', async () => {
    const space = await calls.create(owner);
    expect(space).toMatchObject({ documentCount: 0, isStale: false, refreshedAt: null, criteria: null });
    expect(await calls.refresh(owner, space.spaceId)).toEqual(space);
  });

  it('new criteria replace the members', async () => {
    const spaceId = await calls.gathered(owner, { documentTypes: ['LEASE'] });
    const space = await calls.setCriteria(owner, spaceId, { documentTypes: ['SALE'] });
    expect(space).toMatchObject({ documentCount: 1, criteria: { documentTypes: ['SALE'] } });
    expect(await calls.codes(owner, spaceId)).toEqual(['SALE']);
  });

  it('a space of one entity gathers its documents alone', async () => {
    const spaceId = await calls.gathered(owner, { documentTypes: ['CONTRACT'] }, { entityCode: 'E2' });
    expect(await calls.codes(owner, spaceId)).toEqual(['OTHER']);
  });

  it('an entity that the caller lacks is not found', async () => {
    await expect(calls.create(inE1, { entityCode: 'E2' })).rejects.toThrow(NotFound);
    await expect(calls.create(fixed, { entityCode: null })).rejects.toThrow(Forbidden);
    expect((await calls.create(fixed)).entityCode).toBe('E1');
    expect((await calls.create(user({ activeEntity: 'E2' }))).entityCode).toBe('E2');
  });

  it('an administrator names an entity beside the one in focus', async () => {
    const focused = user({ profile: 'ADMINISTRADOR', activeEntity: 'E2' });
    expect((await calls.create(focused, { entityCode: 'E1' })).entityCode).toBe('E1');
  });
});

describe('readers of a space', () => {
  it('hidden documents show in no count and no list', async () => {
    const spaceId = await calls.gathered(owner, { documentTypes: ['CONTRACT'] }, { type: 'ESPACIO' });
    expect((await calls.get(owner, spaceId)).totalDocuments).toBe(3);
    expect(await calls.get(inE1, spaceId)).toMatchObject({ space: { documentCount: 2 }, totalDocuments: 2 });
    expect(await calls.codes(inE1, spaceId)).toEqual(['LEASE', 'SALE']);
    const listed = (await calls.list(inE1)).spaces.find((space) => space.spaceId === spaceId);
    expect(listed).toMatchObject({ documentCount: 2, isOwn: false, criteria: null });
  });

  it('a composer who sees less gathers the hidden documents too', async () => {
    const a = await calls.gathered(owner, { documentTypes: ['CONTRACT'] }, { type: 'ESPACIO' });
    const { spaceId } = await calls.compose(inE1, 'union', [a, a], { spaceType: 'SPACE' });
    expect(await calls.codes(inE1, spaceId)).toEqual(['LEASE', 'SALE']);
    expect(await calls.codes(owner, spaceId)).toEqual(['LEASE', 'OTHER', 'SALE']);
  });

  it('documents are paged by code', async () => {
    const spaceId = await calls.gathered(owner, { locationCodes: ['ROOT'] });
    const first = await calls.documents(owner, spaceId, 3);
    expect(first).toMatchObject({ total: 5, documents: [{ code: 'ACTA' }, { code: 'CANAL' }, { code: 'LEASE' }] });
    const second = await calls.documents(owner, spaceId, 3, first.nextCursor ?? '');
    expect(second.documents.map(({ code }) => code)).toEqual(['OTHER', 'SALE']);
    expect(second.nextCursor).toBeNull();
    const other = await calls.gathered(owner, { locationCodes: ['ROOT'] });
    await expect(calls.documents(owner, other, 3, first.nextCursor ?? '')).rejects.toThrow(InvalidMeaning);
  });

  it('a document shows its type, place and address', async () => {
    const spaceId = await calls.gathered(owner, { documentTypes: ['LEASE'] });
    expect((await calls.documents(owner, spaceId)).documents).toEqual([
      {
        ...{ code: 'LEASE', name: 'sin-nombre.txt', summary: 'Un resumen.', location: 'Raiz/sin-nombre.txt' },
        ...{ url: 'https://acervo.test/app/documents/LEASE', documentTypeCode: 'LEASE' },
      },
    ]);
  });

  it('spaces are paged by number, the latest first', async () => {
    const [scope, entityCode] = [user({ entities: ['E9'] }), 'E9'];
    const numbers: number[] = [];
    for (let each = 0; each < 3; each += 1) numbers.push((await calls.create(scope, { entityCode })).spaceId);
    const first = await calls.list(scope, 2);
    expect(first.spaces.map(({ spaceId }) => spaceId)).toEqual([numbers[2], numbers[1]]);
    const second = await calls.list(scope, 200, first.nextCursor ?? '');
    expect(second.spaces[0]?.spaceId).toBe(numbers[0]);
    expect(second.nextCursor).toBeNull();
    expect(first.total).toBe(2 + second.spaces.length);
  });

  it('under a stale focus nothing is read', async () => {
    await expect(calls.list(user({ focusIsStale: true }))).rejects.toThrow(ContextConflict);
  });
});

describe('rights over a space', () => {
  it('an AREA is unseen by others, and seen by administrators', async () => {
    const { spaceId } = await calls.create(owner);
    const members = await retrieval.provider(SpaceMembers);
    for (const attempt of [
      () => calls.get(inE1, spaceId),
      () => calls.documents(inE1, spaceId),
      () => calls.refresh(inE1, spaceId),
      () => calls.update(inE1, { spaceId, name: 'x' }),
      () => calls.delete(inE1, spaceId),
      () => calls.preview(inE1, spaceId),
      () => calls.promote(inE1, spaceId),
      () => calls.setCriteria(inE1, spaceId, { language: 'es' }),
      () => calls.compose(inE1, 'union', [spaceId, spaceId]),
      () => retrieval.database.read({ groupId }, (tx) => members.membersFor(tx, inE1, spaceId)),
    ])
      await expect(attempt()).rejects.toThrow(NotFound);
    expect((await calls.get(administrator, spaceId)).space).toMatchObject({ spaceId, isOwn: false });
    const seen = (await calls.list(inE1, 200)).spaces.map((space) => space.spaceId);
    expect(seen).not.toContain(spaceId);
    expect((await calls.list(administrator, 200)).spaces.map((space) => space.spaceId)).toContain(spaceId);
  });

  it('a shared space is refreshed by readers and changed by none of them', async () => {
    const spaceId = await calls.gathered(owner, { language: 'es' }, { type: 'ESPACIO' });
    expect((await calls.refresh(inE1, spaceId)).documentCount).toBe(2);
    for (const change of [
      () => calls.update(inE1, { spaceId, name: 'x' }),
      () => calls.delete(inE1, spaceId),
      () => calls.preview(inE1, spaceId),
      () => calls.promote(inE1, spaceId),
      () => calls.setCriteria(inE1, spaceId, { language: 'es' }),
    ])
      await expect(change()).rejects.toThrow(Forbidden);
  });

  it('the list and the rule of one space agree for every caller', async () => {
    const callers = [owner, inE1, administrator, fixed, user({ entities: ['E2'] }), user({ activeEntity: 'E2' })];
    const spaces: number[] = [];
    for (const type of ['AREA', 'ESPACIO'] as const)
      for (const entityCode of [null, 'E1', 'E2'])
        spaces.push((await calls.create(owner, { type, entityCode })).spaceId);
    spaces.push((await calls.create(fixed)).spaceId, (await calls.create(inE1, { entityCode: null })).spaceId);
    for (const caller of callers) {
      const listed = (await calls.list(caller, 200)).spaces.map(({ spaceId }) => spaceId);
      for (const spaceId of spaces) {
        const sees = await calls.get(caller, spaceId).then(
          () => true,
          () => false,
        );
        expect(listed.includes(spaceId)).toBe(sees);
      }
    }
  });

  it('spaces of another group are unseen', async () => {
    const { spaceId } = await calls.create(owner, { type: 'ESPACIO' });
    const stranger = userScope(randomUUID(), { userId: owner.userId, profile: 'SISTEMA', credentialId: 'k' });
    await expect(calls.get(stranger, spaceId)).rejects.toThrow(NotFound);
    expect((await calls.list(stranger)).total).toBe(0);
  });
});

describe('changes of a space', () => {
  it('a name and a description change', async () => {
    const { spaceId } = await calls.create(owner, { description: 'Antes' });
    expect(await calls.update(owner, { spaceId, name: 'Nuevo' })).toMatchObject({
      name: 'Nuevo',
      description: 'Antes',
    });
    await expect(calls.update(owner, { spaceId })).rejects.toThrow(InvalidMeaning);
  });

  it('promotion shares a space once', async () => {
    const spaceId = await calls.gathered(owner, { language: 'es' });
    expect(await calls.promote(owner, spaceId)).toMatchObject({ type: 'ESPACIO', criteria: { language: 'es' } });
    await expect(calls.promote(owner, spaceId)).rejects.toThrow(SpaceConflict);
    await expect(calls.setCriteria(owner, spaceId, { query: 'agua' })).rejects.toThrow(CriteriaRefused);
  });

  it('a deletion counts what its preview counted', async () => {
    const spaceId = await calls.gathered(owner, { documentTypes: ['CONTRACT'] });
    const composed = (await calls.compose(owner, 'union', [spaceId, spaceId])).spaceId;
    expect(await calls.preview(owner, spaceId)).toEqual({ spaceId, documents: 3, composedSpaces: 1 });
    expect(await calls.exists(groupId, spaceId)).toBe(true);
    expect(await calls.delete(owner, spaceId)).toEqual({ spaceId, deleted: true });
    expect([await calls.exists(groupId, spaceId), await calls.exists(randomUUID(), composed)]).toEqual([false, false]);
    const announced = await retrieval.db.asOwner(
      'retrieval',
      `select payload from retrieval.outbox where group_id = $1 and topic = $2`,
      [groupId, spaceDeleted.topic],
    );
    expect(announced).toContainEqual({ payload: { space_id: spaceId } });
    await expect(calls.get(owner, spaceId)).rejects.toThrow(NotFound);
    expect((await calls.get(owner, composed)).space).toMatchObject({ documentCount: 3, isStale: true });
    expect(await calls.refresh(owner, composed)).toMatchObject({ documentCount: 3, isStale: true });
  });
});

describe('a composed space', () => {
  it.each([
    ['union', ['ACTA', 'CANAL', 'LEASE', 'SALE'], 'A o B'],
    ['intersection', ['SALE'], 'A y B'],
    ['difference', ['ACTA', 'CANAL'], 'A sin B'],
    ['symmetric_difference', ['ACTA', 'CANAL', 'LEASE'], 'A o B, no ambos'],
  ] as const)('%s follows the sets', async (operation, expected, name) => {
    const a = await calls.compose(
      owner,
      'union',
      [await calls.gathered(owner, { language: 'es' }), await calls.gathered(owner, { language: 'de' })],
      { name: 'A' },
    );
    const b = await calls.gathered(owner, { documentTypes: ['CONTRACT'] }, { name: 'B', entityCode: 'E1' });
    const space = await calls.compose(owner, operation, [a.spaceId, b]);
    expect(space).toMatchObject({ name, entityCode: null, isStale: false, expression: { operation, spaceIdB: b } });
    expect(await calls.codes(owner, space.spaceId)).toEqual(expected);
  });

  it('a fixed key composes within its entity', async () => {
    const a = await calls.gathered(owner, { documentTypes: ['CONTRACT'] }, { type: 'ESPACIO' });
    const { spaceId, entityCode } = await calls.compose(fixed, 'union', [a, a], { spaceType: 'SPACE' });
    expect(entityCode).toBe('E1');
    expect(await calls.codes(owner, spaceId)).toEqual(['LEASE', 'SALE']);
  });

  it('criteria replace the composition', async () => {
    const a = await calls.gathered(owner, { language: 'es' });
    const { spaceId } = await calls.compose(owner, 'difference', [a, a]);
    const space = await calls.setCriteria(owner, spaceId, { language: 'de' });
    expect(space).toMatchObject({ expression: null, documentCount: 1 });
  });
});

describe('a stale space', () => {
  const touch = async (code: string, over: Partial<DocumentInput> = {}): Promise<void> => {
    const document = DOCUMENTS.find((each) => each.code === code);
    const revision = 1_000 + touched++;
    const input = { groupId, texts: ['Texto.'], ...document, documentId: ids.get(code), revision, ...over };
    await announce(retrieval, groupId, await prepare(retrieval, input as DocumentInput));
  };
  let touched = 0;
  const isStale = async (scope: Scope, spaceId: number): Promise<boolean> =>
    (await calls.get(scope, spaceId)).space.isStale;

  it('a change of a hidden document marks nothing for the reader', async () => {
    const spaceId = await calls.gathered(owner, { documentTypes: ['CONTRACT'] }, { type: 'ESPACIO' });
    const { spaceId: composed } = await calls.compose(owner, 'union', [spaceId, spaceId], { spaceType: 'SPACE' });
    await touch('OTHER');
    for (const each of [spaceId, composed]) {
      expect(await isStale(owner, each)).toBe(true);
      expect(await isStale(inE1, each)).toBe(false);
    }
    await calls.refresh(inE1, spaceId);
    expect(await isStale(owner, spaceId)).toBe(false);
    expect(await isStale(inE1, composed)).toBe(true);
    await calls.refresh(owner, composed);
    expect(await isStale(inE1, composed)).toBe(false);
  });

  it('a fact in the list marks criteria, in every space composed of them', async () => {
    const spaceId = await calls.gathered(owner, { language: 'es' });
    const b = (await calls.compose(owner, 'union', [spaceId, spaceId])).spaceId;
    const c = (await calls.compose(owner, 'intersection', [b, spaceId])).spaceId;
    await touch('SALE', { language: 'es' });
    const listed = (await calls.list(owner, 200)).spaces.filter((space) => [spaceId, b, c].includes(space.spaceId));
    expect(listed.map((space) => space.isStale)).toEqual([true, true, true]);
    expect((await calls.refresh(owner, spaceId)).documentCount).toBe(3);
    await touch('SALE', {});
  });

  it('a withdrawn document leaves at once', async () => {
    const group = randomUUID();
    const scope = userScope(group, { userId: randomUUID(), profile: 'USUARIO', credentialId: 'k' });
    const { documentId } = await handOver(retrieval, { groupId: group, texts: ['Texto.'], typeCodes: ['T'] });
    const spaceId = await calls.gathered(scope, { documentTypes: ['T'] });
    await withdraw(retrieval, group, documentId, 2);
    expect((await calls.get(scope, spaceId)).space).toMatchObject({ documentCount: 0, isStale: false });
  });

  it('a fact that a program of the last release stores marks criteria', async () => {
    const group = randomUUID();
    const scope = userScope(group, { userId: randomUUID(), profile: 'USUARIO', credentialId: 'k' });
    const { documentId } = await handOver(retrieval, { groupId: group, texts: ['Texto.'], typeCodes: ['T'] });
    const spaceId = await calls.gathered(scope, { documentTypes: ['U'] });
    expect(await isStale(scope, spaceId)).toBe(false);
    await retrieval.database.write({ groupId: group }, (tx) => storeAsLastRelease(tx, [documentId], 2, ['U']));
    expect(await isStale(scope, spaceId)).toBe(true);
    expect(await calls.refresh(scope, spaceId)).toMatchObject({ documentCount: 1, isStale: false });
  });

  it('a list that a query left is never stale', async () => {
    const space = await calls.create(owner, { criteria: criteriaOf({ query: 'agua' }) });
    const shared = await calls.promote(owner, space.spaceId);
    await touch('CANAL');
    expect(shared).toMatchObject({ criteria: null, type: 'ESPACIO' });
    expect(await isStale(owner, space.spaceId)).toBe(false);
  });
});
