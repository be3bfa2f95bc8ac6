import type { InventoryDocument, InventoryPage } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { WorkScope } from '@acervo/rbac';
import { codesDigest, factsDigest, placeDigest, textDigest } from '@acervo/contracts';
import type { Believed, BelievedStore } from './believed.store';
import { Comparison } from './comparison';

const scope = new WorkScope('11111111-1111-4111-8111-111111111111', 'ingestion', 'test');
const believed = {
  ...{ documentId: 'd', revision: 4, generation: 2, status: 'VECTORIZADO', code: 'D', name: 'd.txt', title: null },
  ...{
    summary: '',
    entityCode: 'E',
    locationCode: 'L',
    locationAncestors: ['L'],
    homeVar: null,
    relativePath: 'd.txt',
  },
  ...{ path: 'd.txt', isHandedOver: true, isResting: false, isGone: false, chunkCount: 3, chunksDigest: 'same' },
  ...{ hasVectors: true, embedding: null, isBusy: false, codes: null, origin: 'CARPETA', url: null },
} as const satisfies Believed;
const indexed: InventoryDocument = {
  ...{ documentId: 'd', revision: 4, isShown: true, isLive: true, generation: 2, chunkCount: 3, chunks: 3, vectors: 3 },
  ...{ place: placeDigest(believed), text: textDigest(believed), content: 'same', stale: 0 },
  ...{ copiesMissing: 0, copiesExtra: 0, isBusy: false, isParked: false },
};

type Answers = readonly (Partial<InventoryDocument> & { unread?: boolean })[];

/** A comparison with a retrieval service that answers one document, with these answers in order. */
const comparisonWith = (ours: Believed, ...answers: Answers): Comparison => {
  const left = [...answers];
  const send = (): Promise<InventoryPage> => {
    const { unread = false, ...over } = left.shift() ?? {};
    return Promise.resolve({ documents: [{ ...indexed, ...over }], hasMore: false, copiesUnread: unread, space: [] });
  };
  const some = () => Promise.resolve([ours]);
  const store = { range: some, some } as unknown as BelievedStore;
  return new Comparison(store, { send } as unknown as Pick<Calls, 'send'>);
};
const comparisonOf = (...answers: Answers): Comparison => comparisonWith(believed, ...answers);
const kinds = async (over: Partial<InventoryDocument>): Promise<string[]> =>
  (await comparisonOf(over).look(scope, null)).suspicions.map(({ kind }) => kind);

describe('the comparison of copies', () => {
  it('equal copies give no suspicion', async () => {
    expect(await comparisonOf({}).look(scope, null)).toMatchObject({ suspicions: [], copiesUnread: 0 });
  });
  it('missing and extra copies are suspected, also both', async () => {
    expect(await kinds({ copiesMissing: 1 })).toEqual(['copies.missing']);
    expect(await kinds({ copiesExtra: 1 })).toEqual(['copies.extra']);
    expect(await kinds({ copiesMissing: 1, copiesExtra: 1 })).toEqual(['copies.missing', 'copies.extra']);
  });
  it('missing chunks hide missing copies, as one hand-over repairs both', async () => {
    expect(await kinds({ chunks: 2, copiesMissing: 1 })).toEqual(['chunks.missing']);
  });
  it('work on its way prevents suspicions', async () => {
    expect(await kinds({ copiesMissing: 1, copiesExtra: 1, isBusy: true })).toEqual([]);
  });
  it('a suspicion counts when it is unchanged at the second look', async () => {
    const same = comparisonOf({ copiesMissing: 2 }, { copiesMissing: 2 });
    const { suspicions } = await same.look(scope, null);
    expect((await same.confirm(scope, suspicions)).differences).toHaveLength(1);
    const moved = comparisonOf({ copiesMissing: 1 });
    expect(await moved.confirm(scope, suspicions)).toEqual({ differences: [], copiesUnread: 0 });
  });
  it('documents with unread copies are counted at both looks', async () => {
    const away = comparisonOf({ unread: true }, { unread: true });
    expect(await away.look(scope, null)).toMatchObject({ suspicions: [], copiesUnread: 1 });
    const { suspicions } = await comparisonOf({ copiesMissing: 2 }).look(scope, null);
    expect(await away.confirm(scope, suspicions)).toEqual({ differences: [], copiesUnread: 1 });
  });
});

describe('the comparison of codes', () => {
  const codes = { typeCodes: ['LEASE'], attributes: ['RENT'], characteristics: [] };
  const kindsOf = async (ours: Believed, theirs: Partial<InventoryDocument>): Promise<string[]> =>
    (await comparisonWith(ours, theirs).look(scope, null)).suspicions.map(({ kind }) => kind);

  it('codes that the index lacks are suspected', async () => {
    expect(await kindsOf({ ...believed, codes }, { codes: codesDigest({}) })).toEqual(['description.differs']);
    expect(await kindsOf({ ...believed, codes }, { codes: codesDigest(codes) })).toEqual([]);
  });
  it('a document without a classification has no codes', async () => {
    expect(await kindsOf(believed, { codes: codesDigest({}) })).toEqual([]);
    expect(await kindsOf(believed, { codes: codesDigest(codes) })).toEqual(['description.differs']);
  });
  it('codes wait until the document is through the pipeline', async () => {
    expect(await kindsOf({ ...believed, codes, status: 'RESUMIDO' }, { codes: codesDigest({}) })).not.toContain(
      'description.differs',
    );
  });
  it('an answer of the last release says nothing about codes', async () => {
    expect(await kindsOf({ ...believed, codes }, {})).toEqual([]);
  });
});

describe('the comparison of language and last change', () => {
  const ours: Believed = { ...believed, language: 'es', changedAt: '2026-01-02T03:04:05.678Z' };
  const look = async (
    theirs: Partial<InventoryDocument>,
    over: Partial<Believed> = {},
  ): Promise<[string[], number]> => {
    const { suspicions, undescribed } = await comparisonWith({ ...ours, ...over }, theirs).look(scope, null);
    return [suspicions.map(({ kind }) => kind), undescribed.length];
  };

  it('documents that lack them are described again, without a suspicion', async () => {
    expect(await look({ facts: '' })).toEqual([[], 1]);
    expect(await look({ facts: factsDigest(ours) })).toEqual([[], 0]);
  });
  it('other ones are a difference', async () => {
    expect(await look({ facts: factsDigest({ ...ours, language: 'ca' }) })).toEqual([['description.differs'], 0]);
    expect(await look({ facts: factsDigest({ ...ours, language: 'ca' }) }, { status: 'RESUMIDO' })).not.toContainEqual([
      'description.differs',
    ]);
  });
  it('programs of the last release answer none, so that nothing is described again', async () => {
    expect(await look({})).toEqual([[], 0]);
  });
  it.each<[string, Partial<InventoryDocument>, Partial<Believed>]>([
    ['events on their way', { isBusy: true }, {}],
    ['dead letters', { isParked: true }, {}],
    ['a withdrawal', { isShown: false }, {}],
    ['its own work', {}, { isBusy: true }],
    ['a document that was never handed over', {}, { isHandedOver: false }],
  ])('%s: nothing is described again', async (_name, theirs, over) => {
    expect((await look({ facts: '', ...theirs }, over))[1]).toBe(0);
  });
});
