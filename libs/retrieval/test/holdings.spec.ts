import { randomUUID } from 'node:crypto';
import { NoCopies } from '../src/copies/chunk-copies';
import { handOver, workScope } from './documents';
import { openRetrieval, type Retrieval } from './support';

/** Copies that must not be asked for. */
class Unasked extends NoCopies {
  override found(): never {
    throw new Error('Nobody keeps copies here.');
  }
}

describe('what is told of the documents that are held', () => {
  let retrieval: Retrieval;
  beforeAll(async () => {
    retrieval = await openRetrieval();
  }, 60_000);
  afterAll(() => retrieval.close());

  it('asks no other engine where the database ranks words', async () => {
    const groupId = randomUUID();
    const { documentId } = await handOver(retrieval, { groupId, texts: ['La turbina gira.'] });
    const page = await retrieval.heldCalls(new Unasked()).list(workScope(groupId), { after: '', limit: 10, only: [] });
    expect(page).toMatchObject({
      copiesUnread: false,
      documents: [{ documentId, chunks: 1, copiesMissing: 0, copiesExtra: 0 }],
    });
  });
});
