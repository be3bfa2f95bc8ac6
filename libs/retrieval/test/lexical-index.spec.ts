import { randomUUID } from 'node:crypto';
import { LexicalIndexStore } from '../src/legs/opensearch/copies/lexical-index.store';
import { openRetrieval, type Retrieval } from './support';

describe('the indexes that copies of a group are written to', () => {
  const indexes = new LexicalIndexStore();
  let retrieval: Retrieval;
  beforeAll(async () => {
    retrieval = await openRetrieval();
  });
  afterAll(() => retrieval.close());

  it('one index is live at a time; a retired one never again', async () => {
    const group = { groupId: randomUUID() };
    await retrieval.database.write(group, async (tx) => {
      await indexes.first(tx);
      expect(await indexes.next(tx)).toBe(2);
      expect(await indexes.makeLive(tx, 2)).toEqual([1]);
      expect(await indexes.live(tx)).toBe(2);
      expect(await indexes.makeLive(tx, 1)).toEqual([]);
      expect(await indexes.live(tx)).toBe(2);
      expect(await indexes.written(tx)).toEqual([2]);
      expect(await indexes.isRetired(tx, 1)).toBe(true);
    });
  });
});
