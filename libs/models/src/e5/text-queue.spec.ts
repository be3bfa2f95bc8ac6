import { EmbedderUnavailable } from '../embedder.errors';
import type { SessionRequest } from './session-messages';
import { TextQueue } from './text-queue';

const passages = (...texts: string[]): SessionRequest[] => texts.map((text) => ({ text, kind: 'passage' }));
const embedded = { vector: Float32Array.of(1), tokens: 3 };
const drained = (queue: TextQueue): string[] => {
  const texts: string[] = [];
  for (let next = queue.next(); next !== undefined; next = queue.next()) {
    texts.push(next.request.text);
    next.done(embedded);
  }
  return texts;
};

describe('texts that wait for a thread', () => {
  it('requests take turns text by text', async () => {
    const queue = new TextQueue(10);
    const requests = [queue.add(passages('a1', 'a2', 'a3')), queue.add(passages('b1'))];
    expect(queue.length).toBe(4);
    expect(drained(queue)).toEqual(['a1', 'b1', 'a2', 'a3']);
    expect((await Promise.all(requests)).map(({ length }) => length)).toEqual([3, 1]);
    expect(queue.length).toBe(0);
  });
  it('a request beyond the bound is refused, and the others stay', async () => {
    const queue = new TextQueue(3);
    const first = queue.add(passages('a1', 'a2'));
    await expect(queue.add(passages('b1', 'b2'))).rejects.toBeInstanceOf(EmbedderUnavailable);
    expect(drained(queue)).toEqual(['a1', 'a2']);
    expect(await first).toHaveLength(2);
  });
  it('a text that is put back comes next', () => {
    const queue = new TextQueue(10);
    void queue.add(passages('a1', 'a2'));
    const text = queue.next();
    if (text !== undefined) queue.return(text);
    expect(drained(queue)).toEqual(['a1', 'a2']);
  });
  it('a request that is given up leaves the queue', async () => {
    const queue = new TextQueue(10);
    const client = new AbortController();
    const first = queue.add(passages('a1', 'a2'), client.signal);
    void queue.add(passages('b1'));
    client.abort();
    await expect(first).rejects.toBeInstanceOf(EmbedderUnavailable);
    expect(drained(queue)).toEqual(['b1']);
    expect(queue.length).toBe(0);
  });
  it('after one failed text the rest of its request is dropped', async () => {
    const queue = new TextQueue(10);
    const first = queue.add(passages('a1', 'a2'));
    queue.next()?.fail(new Error('refused'));
    await expect(first).rejects.toThrow('refused');
    expect([drained(queue), queue.length]).toEqual([[], 0]);
  });
});
