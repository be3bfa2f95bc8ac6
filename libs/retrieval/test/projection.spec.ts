import { randomUUID } from 'node:crypto';
import { described, withdraw } from './documents';
import { openRetrieval, type Retrieval } from './support';

const groupId = randomUUID();
let retrieval: Retrieval;

beforeAll(async () => {
  retrieval = await openRetrieval();
}, 60_000);
afterAll(() => retrieval.close(), 30_000);

interface Known {
  readonly revision: number;
  readonly withdrawn: boolean;
  readonly name: string;
}

const describeDocument = (fact: ReturnType<typeof described>): Promise<boolean> =>
  retrieval.database.write({ groupId }, (tx) => retrieval.projection.describe(tx, fact));
const known = async (documentId: string): Promise<Known[]> =>
  retrieval.database.read({ groupId }, (tx) =>
    tx.query<Known>('select revision, withdrawn, name from retrieval.document where document_id = $1', [documentId]),
  );
const admits = (documentId: string): Promise<boolean> =>
  retrieval.database.write({ groupId }, (tx) => retrieval.projection.admits(tx, documentId));

describe('the projection of documents', () => {
  it('keeps the later revision, whichever comes first', async () => {
    const fact = described({ revision: 2, name: 'nuevo.txt' });
    expect(await describeDocument(fact)).toBe(true);
    expect(await describeDocument({ ...fact, revision: 1, name: 'viejo.txt' })).toBe(false);
    expect(await known(fact.documentId)).toEqual([{ revision: 2, withdrawn: false, name: 'nuevo.txt' }]);
    expect(await describeDocument({ ...fact, revision: 3, name: 'más nuevo.txt' })).toBe(true);
    expect(await known(fact.documentId)).toEqual([{ revision: 3, withdrawn: false, name: 'más nuevo.txt' }]);
  });

  it('takes a fact that comes twice once', async () => {
    const fact = described();
    expect(await describeDocument(fact)).toBe(true);
    expect(await describeDocument(fact)).toBe(false);
    expect(await known(fact.documentId)).toHaveLength(1);
  });

  it('keeps a withdrawn document withdrawn against older facts', async () => {
    const fact = described({ revision: 1 });
    await describeDocument(fact);
    await withdraw(retrieval, groupId, fact.documentId, 3);
    expect(await describeDocument({ ...fact, revision: 2 })).toBe(false);
    expect(await known(fact.documentId)).toMatchObject([{ revision: 3, withdrawn: true }]);
    expect(await admits(fact.documentId)).toBe(false);
  });

  it('keeps a document withdrawn that it hears of for the first time as it goes', async () => {
    const fact = described({ revision: 1 });
    await withdraw(retrieval, groupId, fact.documentId, 2);
    expect(await describeDocument(fact)).toBe(false);
    expect(await known(fact.documentId)).toMatchObject([{ revision: 2, withdrawn: true }]);
  });

  it('ignores a withdrawal that is older than what it knows', async () => {
    const fact = described({ revision: 5 });
    await describeDocument(fact);
    await withdraw(retrieval, groupId, fact.documentId, 4);
    expect(await known(fact.documentId)).toMatchObject([{ revision: 5, withdrawn: false }]);
    expect(await admits(fact.documentId)).toBe(true);
  });

  it('brings a document back with a newer description', async () => {
    const fact = described({ revision: 1 });
    await describeDocument(fact);
    await withdraw(retrieval, groupId, fact.documentId, 2);
    expect(await describeDocument({ ...fact, revision: 3 })).toBe(true);
    expect(await known(fact.documentId)).toMatchObject([{ revision: 3, withdrawn: false }]);
  });

  it('does not admit a document that it never heard of', async () => {
    expect(await admits(randomUUID())).toBe(false);
  });
});
