import { randomUUID } from 'node:crypto';
import { GRAPH_FROM, vectorGraph } from '../src/kernel/bucket';
import { MOST_EXACT } from '../src/legs/leg-sql';
import { handOver } from './documents';
import { openRetrieval, type Retrieval } from './support';

describe('the vector graph of a bucket', () => {
  const groupId = randomUUID();
  let retrieval: Retrieval;
  beforeAll(async () => {
    retrieval = await openRetrieval();
  });
  afterAll(() => retrieval.close());

  const graphs = async (name: string): Promise<number> => {
    const rows = await retrieval.db.asOwner('retrieval', `select from pg_indexes where indexname = '${name}'`);
    return rows.length;
  };

  it('comes with the first chunk of those that make it worth its cost', async () => {
    await handOver(retrieval, { groupId, texts: ['El agua del canal.'] });
    const embeddingIndex = await retrieval.database.read({ groupId }, (tx) => retrieval.embeddingIndexes.live(tx));
    if (embeddingIndex === undefined) throw new Error('The group has no embedding index.');
    const { name } = vectorGraph(embeddingIndex.dimension, embeddingIndex.bucket);
    const setChunks = (chunks: number): Promise<unknown> =>
      retrieval.database.write({ groupId }, (tx) =>
        tx.query('update retrieval.live set chunk_count = $2 where group_id = $1', [groupId, chunks]),
      );
    const found: number[] = [];
    for (const chunks of [1, GRAPH_FROM - 1, GRAPH_FROM, GRAPH_FROM + 1]) {
      await setChunks(chunks);
      await retrieval.buckets.look({ groupId }, { ...embeddingIndex, mostChunks: 2 * chunks });
      found.push(await graphs(name));
    }
    expect(found).toEqual([0, 0, 1, 1]);
  });

  it('is there long before searches read along it', () => {
    // Searches know twice the chunks of the last statistics at most, which are renewed when a bucket has doubled.
    expect(2 * GRAPH_FROM).toBeLessThanOrEqual(MOST_EXACT);
  });
});
