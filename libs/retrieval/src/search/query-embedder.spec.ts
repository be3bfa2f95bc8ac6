import { Overloaded } from '@acervo/contracts';
import { Embedder, Embedders, EmbedderUnavailable, HashingEmbedder } from '@acervo/models';
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

const indexOf = ({ embeddingModel }: Embedder): LiveEmbeddingIndex => ({
  ...embeddingModel,
  ...{ indexId: 1, bucket: 0, mostChunks: 1, isPartial: false },
});

/** An embedder of another model, which refuses its first request. */
class LateEmbedder extends Embedder {
  readonly embeddingModel = { model: 'late', revision: '1', dimension: 384, floor: 0 };
  requests = 0;

  embed(texts: readonly string[]): Promise<Float32Array[]> {
    this.requests += 1;
    return this.requests === 1
      ? Promise.reject(new EmbedderUnavailable('it loads'))
      : new HashingEmbedder().embed(texts);
  }
}

describe('the meaning of vectors', () => {
  it('it is measured once, and again where that failed', async () => {
    const late = new LateEmbedder();
    const queries = new QueryEmbedder(new Embedders(late), { queriesWaiting: 8 });
    await expect(queries.meaning(indexOf(late))).rejects.toBeInstanceOf(EmbedderUnavailable);
    for (let asked = 0; asked < 3; asked += 1) expect(await queries.meaning(indexOf(late))).toBe(0);
    expect(late.requests).toBe(2);
  });

  it('an embedder that declares it is not asked', async () => {
    const declared = new HashingEmbedder();
    const embed = jest.spyOn(declared, 'embed');
    expect(await new QueryEmbedder(new Embedders(declared), { queriesWaiting: 8 }).meaning(indexOf(declared))).toBe(0);
    expect(embed).not.toHaveBeenCalled();
  });
});

describe('the queue before the embedder', () => {
  it('one group fills the queue, and another one is still embedded', async () => {
    const waiting = new HeldEmbedder();
    const index = indexOf(waiting);
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
