import { randomUUID } from 'node:crypto';
import { NoCopies } from '../src/legs/opensearch/copies/chunk-copies';
import { handOver, workScope } from './documents';
import { openRetrieval, type Retrieval } from './support';

/** Copies that fail when they are read. */
class Unasked extends NoCopies {
  override found(): never {
    throw new Error('No engine keeps copies here.');
  }
}

describe('the index inventory of a group', () => {
  let retrieval: Retrieval;
  beforeAll(async () => {
    retrieval = await openRetrieval();
  });
  afterAll(() => retrieval.close());

  it('without another engine, the inventory queries the database only', async () => {
    const groupId = randomUUID();
    const { documentId } = await handOver(retrieval, { groupId, texts: ['La turbina gira.'] });
    const inventory = retrieval.inventoryHandlers({ copies: new Unasked() });
    const page = await inventory.list(workScope(groupId), { after: '', limit: 10, only: [] });
    expect(page).toMatchObject({
      copiesUnread: false,
      documents: [{ documentId, chunks: 1, copiesMissing: 0, copiesExtra: 0 }],
    });
  });
});
