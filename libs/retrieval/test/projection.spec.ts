import { randomUUID } from 'node:crypto';
import { described, withdraw } from './documents';
import { openRetrieval, type Retrieval } from './support';

const groupId = randomUUID();
let retrieval: Retrieval;

beforeAll(async () => {
  retrieval = await openRetrieval();
}, 60_000);
afterAll(() => retrieval.close(), 30_000);

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
const admits = (documentId: string): Promise<boolean> =>
  retrieval.database.write({ groupId }, (tx) => retrieval.projection.admits(tx, documentId));

describe('the projection of documents', () => {
  it('the later revision wins in any order of arrival', async () => {
    const fact = described({ revision: 2, name: 'nuevo.txt' });
    expect(await describeDocument(fact)).toBe(true);
    expect(await describeDocument({ ...fact, revision: 1, name: 'viejo.txt' })).toBe(false);
    expect(await projected(fact.documentId)).toEqual([{ revision: 2, withdrawn: false, name: 'nuevo.txt' }]);
    expect(await describeDocument({ ...fact, revision: 3, name: 'más nuevo.txt' })).toBe(true);
    expect(await projected(fact.documentId)).toEqual([{ revision: 3, withdrawn: false, name: 'más nuevo.txt' }]);
  });

  it('a repeated event is applied once', async () => {
    const fact = described();
    expect(await describeDocument(fact)).toBe(true);
    expect(await describeDocument(fact)).toBe(false);
    expect(await projected(fact.documentId)).toHaveLength(1);
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
