import { Overloaded } from '@acervo/contracts';
import { Embedders, HashingEmbedder } from '@acervo/models';
import type { LiveEmbeddingIndex } from '../embedding-indexes/embedding-index.store';
import { QueryEmbedder } from './query-embedder';

const [ONE, OTHER] = [{ groupId: 'one' }, { groupId: 'other' }];

/** An embedder whose answers wait until they are released. */
class HeldEmbedder extends HashingEmbedder {
  release: () => void = () => undefined;
  private readonly waiting = new Promise<void>((resolve) => (this.release = resolve));

  override async embed(...args: Parameters<HashingEmbedder['embed']>): ReturnType<HashingEmbedder['embed']> {
    await this.waiting;
    return super.embed(...args);
  }
}

describe('the queue before the embedder', () => {
  it('one group fills the queue, and another one is still embedded', async () => {
    const waiting = new HeldEmbedder();
    const index: LiveEmbeddingIndex = {
      ...waiting.embeddingModel,
      indexId: 1,
      bucket: 0,
      mostChunks: 1,
      isPartial: false,
    };
    const queries = new QueryEmbedder(new Embedders(waiting), { queriesWaiting: 8 });
    const asked = Array.from({ length: 20 }, () => queries.embed(ONE, index, 'agua'));
    const other = queries.embed(OTHER, index, 'agua');
    waiting.release();
    const settled = await Promise.allSettled(asked);
    const refused = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    // Four at a time and the eight places in the queue, of which the last one is left to the other group.
    expect(refused).toHaveLength(9);
    for (const error of refused) expect(error).toBeInstanceOf(Overloaded);
    expect(await other).toHaveLength(waiting.embeddingModel.dimension);
  });
});
