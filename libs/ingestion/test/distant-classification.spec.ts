import { Embedder, Embedders, EmbedderUnavailable, HashingEmbedder } from '@acervo/models';
import { Bench } from './bench';
import { ClassifiedFolder } from './classified-folder';

/** An embedder behind an address, which may be away. */
class DistantEmbedder extends Embedder {
  override readonly remote = true;
  readonly embeddingModel = new HashingEmbedder().embeddingModel;
  isAway = true;
  readonly asked: string[] = [];

  override async embed(texts: string[]): Promise<Float32Array[]> {
    this.asked.push(...texts);
    if (this.isAway) throw new EmbedderUnavailable('the test says so');
    return new HashingEmbedder().embed(texts);
  }
}

describe('the classification of documents beside a distant embedder', () => {
  const embedder = new DistantEmbedder();
  let distant: Bench;
  beforeAll(async () => {
    distant = await Bench.open(new Embedders(embedder));
  });
  afterAll(() => distant.close());

  it('a decision by terms holds until the embedder answers', async () => {
    const folder = await ClassifiedFolder.of(distant, { 'a.txt': 'obra puente presupuesto' });
    await folder.describe({ code: 'OBRA', includes: 'obra puente calle farola' });
    await folder.scan();
    await distant.work(folder.groupId);
    expect(await folder.classes()).toMatchObject([{ type: 'OBRA', awaits: true }]);
    const [waiting] = await folder.sql<{ later: boolean; status: string }>(
      `select not_before > now() + interval '20 seconds' as later, status from ingestion.task
       where group_id = $1 and stage = 'classify-again' and generation = 1`,
    );
    expect(waiting).toEqual({ later: true, status: 'WAITING' });
    embedder.isAway = false;
    await distant.exhaust(folder.groupId);
    expect(await folder.classes()).toMatchObject([{ type: 'OBRA', awaits: false }]);
    const asked = embedder.asked.length;
    await folder.describe({ code: 'OBRA', includes: 'obra puente calle' });
    await distant.work(folder.groupId);
    // The changed boundary alone.
    expect(embedder.asked.length).toBe(asked + 1);
  });
});
