import { randomUUID } from 'node:crypto';
import { described, prepare, withdraw, workScope } from './documents';
import { openRetrieval, type Retrieval } from './support';

const groupId = randomUUID();
let retrieval: Retrieval;

beforeAll(async () => {
  retrieval = await openRetrieval();
});
afterAll(() => retrieval.close());

interface ProjectedRow {
  readonly revision: number;
  readonly withdrawn: boolean;
  readonly name: string;
}

const describeDocument = (fact: ReturnType<typeof described>): Promise<boolean> =>
  retrieval.database.write({ groupId }, (tx) => retrieval.projection.describe(tx, fact));
const projected = async (documentId: string): Promise<ProjectedRow[]> =>
  retrieval.database.read({ groupId }, (tx) =>
    tx.query<ProjectedRow>('select revision, withdrawn, name from retrieval.document where document_id = $1', [
      documentId,
    ]),
  );
const admits = async (documentId: string): Promise<boolean> => {
  const admitted = await retrieval.database.write({ groupId }, (tx) => retrieval.projection.admitted(tx, [documentId]));
  return admitted.has(documentId);
};

describe('the projection of documents', () => {
  it('the later revision wins in any order of arrival', async () => {
    const fact = described({ revision: 2, name: 'nuevo.txt' });
    expect(await describeDocument(fact)).toBe(true);
    expect(await describeDocument({ ...fact, revision: 1, name: 'viejo.txt' })).toBe(false);
    expect(await projected(fact.documentId)).toEqual([{ revision: 2, withdrawn: false, name: 'nuevo.txt' }]);
    expect(await describeDocument({ ...fact, revision: 3, name: 'más nuevo.txt' })).toBe(true);
    expect(await projected(fact.documentId)).toEqual([{ revision: 3, withdrawn: false, name: 'más nuevo.txt' }]);
  });

  it('codes arrive under the revision; an event without codes clears them', async () => {
    const codesOf = async (documentId: string): Promise<unknown[]> => {
      const sql = `select type_codes, attribute_codes, characteristic_codes from retrieval.document where document_id = $1`;
      return retrieval.database.read({ groupId }, (tx) => tx.query(sql, [documentId]));
    };
    const fact = described({ revision: 2 });
    const carried = { typeCodes: ['PAPER', 'CONTRACT'], attributes: ['AMOUNT'], characteristics: ['SIGNED'] };
    const none = { type_codes: [], attribute_codes: [], characteristic_codes: [] };
    const stored = {
      ...{ type_codes: carried.typeCodes, attribute_codes: carried.attributes },
      characteristic_codes: carried.characteristics,
    };
    await describeDocument(fact);
    expect(await codesOf(fact.documentId)).toEqual([none]);
    await describeDocument({ ...fact, ...carried, revision: 1 });
    expect(await codesOf(fact.documentId)).toEqual([none]);
    await describeDocument({ ...fact, ...carried, revision: 3 });
    expect(await codesOf(fact.documentId)).toEqual([stored]);
    await describeDocument({ ...fact, revision: 4 });
    expect(await codesOf(fact.documentId)).toEqual([none]);
  });

  it('language and last change stay while an event has neither; otherwise both are replaced', async () => {
    const factsOf = (documentId: string): Promise<unknown[]> => {
      const sql = `select language, changed_at as at from retrieval.document where document_id = $1`;
      return retrieval.database.read({ groupId }, (tx) => tx.query(sql, [documentId]));
    };
    const [first, second] = ['2026-01-02T03:04:05.678Z', '2026-02-03T04:05:06.789Z'] as const;
    const fact = described({ revision: 1 });
    await describeDocument(fact);
    expect(await factsOf(fact.documentId)).toEqual([{ language: null, at: null }]);
    await describeDocument({ ...fact, revision: 2, language: 'es', changedAt: first });
    await describeDocument({ ...fact, revision: 3 });
    expect(await factsOf(fact.documentId)).toEqual([{ language: 'es', at: new Date(first) }]);
    await describeDocument({ ...fact, revision: 4, language: null, changedAt: second });
    expect(await factsOf(fact.documentId)).toEqual([{ language: null, at: new Date(second) }]);
  });

  it('a repeated event is applied once', async () => {
    const fact = described();
    expect(await describeDocument(fact)).toBe(true);
    expect(await describeDocument(fact)).toBe(false);
    expect(await projected(fact.documentId)).toHaveLength(1);
  });

  it('several events at once leave the latest description of each document', async () => {
    const [one, two] = [described({ revision: 1 }), described({ revision: 1, locationAncestors: ['L1', 'L2'] })];
    const facts = [one, two, { ...one, revision: 3, name: 'c.txt' }, { ...one, revision: 2, name: 'b.txt' }];
    await retrieval.database.write({ groupId }, (tx) => retrieval.consumer.describe(workScope(groupId), tx, facts));
    expect(await projected(one.documentId)).toEqual([{ revision: 3, withdrawn: false, name: 'c.txt' }]);
    expect(await projected(two.documentId)).toMatchObject([{ revision: 1, name: two.name }]);
    const copied = await retrieval.database.read({ groupId }, (tx) =>
      retrieval.projection.copiedColumns(tx, [two.documentId, randomUUID()]),
    );
    expect([...copied].map(([id, columns]) => [id, JSON.parse(columns) as unknown])).toEqual([
      [two.documentId, [false, two.entityCode, ['L1', 'L2'], [], [], []]],
    ]);
  });

  it('several hand-overs at once leave a task each', async () => {
    const facts = await Promise.all([1, 2, 3].map((n) => prepare(retrieval, { groupId, texts: [`Texto ${n}.`] })));
    await retrieval.database.write({ groupId }, (tx) => retrieval.consumer.plan(workScope(groupId), tx, facts));
    const tasks = await retrieval.database.read({ groupId }, (tx) =>
      tx.query<{ subject_id: string }>('select subject_id from retrieval.task where group_id = $1', [groupId]),
    );
    expect(tasks.map(({ subject_id: id }) => id).toSorted()).toEqual(
      facts.map(({ documentId }) => documentId).toSorted(),
    );
  });

  it('older events do not restore a withdrawn document', async () => {
    const fact = described({ revision: 1 });
    await describeDocument(fact);
    await withdraw(retrieval, groupId, fact.documentId, 3);
    expect(await describeDocument({ ...fact, revision: 2 })).toBe(false);
    expect(await projected(fact.documentId)).toMatchObject([{ revision: 3, withdrawn: true }]);
    expect(await admits(fact.documentId)).toBe(false);
  });

  it('a document first known by its withdrawal stays withdrawn', async () => {
    const fact = described({ revision: 1 });
    await withdraw(retrieval, groupId, fact.documentId, 2);
    expect(await describeDocument(fact)).toBe(false);
    expect(await projected(fact.documentId)).toMatchObject([{ revision: 2, withdrawn: true }]);
  });

  it('a withdrawal older than the stored revision is ignored', async () => {
    const fact = described({ revision: 5 });
    await describeDocument(fact);
    await withdraw(retrieval, groupId, fact.documentId, 4);
    expect(await projected(fact.documentId)).toMatchObject([{ revision: 5, withdrawn: false }]);
    expect(await admits(fact.documentId)).toBe(true);
  });

  it('a newer description restores a document', async () => {
    const fact = described({ revision: 1 });
    await describeDocument(fact);
    await withdraw(retrieval, groupId, fact.documentId, 2);
    expect(await describeDocument({ ...fact, revision: 3 })).toBe(true);
    expect(await projected(fact.documentId)).toMatchObject([{ revision: 3, withdrawn: false }]);
  });

  it('an unknown document is not admitted', async () => {
    expect(await admits(randomUUID())).toBe(false);
  });
});
