import { EmbedderRefused, EmbedderUnavailable } from '../embedder.errors';
import { GatheredTexts } from './gathered-texts';

/** A vector that names its text. */
const vectorOf = (text: string): Float32Array => Float32Array.of(text.length);

describe('texts of several callers', () => {
  const asked: (readonly string[])[] = [];
  let refused: (texts: readonly string[]) => Error | undefined;
  let gathered: GatheredTexts;

  beforeEach(() => {
    asked.length = 0;
    refused = () => undefined;
    const embed = (texts: readonly string[]): Promise<Float32Array[]> => {
      asked.push(texts);
      const error = refused(texts);
      return error === undefined ? Promise.resolve(texts.map(vectorOf)) : Promise.reject(error);
    };
    gathered = new GatheredTexts(embed, 4);
  });

  it('share a request, and each caller gets its own vectors', async () => {
    const vectors = await Promise.all([gathered.vectors(['a', 'bb']), gathered.vectors(['ccc'])]);
    expect(vectors).toEqual([[vectorOf('a'), vectorOf('bb')], [vectorOf('ccc')]]);
    expect(asked).toEqual([['a', 'bb', 'ccc']]);
  });

  it('go at once where they fill a request', async () => {
    jest.useFakeTimers();
    try {
      const vectors = [gathered.vectors(['a', 'b']), gathered.vectors(['c', 'd'])];
      expect(asked).toEqual([['a', 'b', 'c', 'd']]);
      await Promise.all(vectors);
    } finally {
      jest.useRealTimers();
    }
  });

  it('are asked for alone where the endpoint refuses one of them', async () => {
    refused = (texts) => (texts.includes('bad') ? new EmbedderRefused(400) : undefined);
    const [good, bad] = await Promise.allSettled([gathered.vectors(['good']), gathered.vectors(['bad'])]);
    expect(good).toEqual({ status: 'fulfilled', value: [vectorOf('good')] });
    expect(bad).toEqual({ status: 'rejected', reason: expect.any(EmbedderRefused) as unknown });
    expect(asked).toEqual([['good', 'bad'], ['good'], ['bad']]);
  });

  it('fail together, after one request, where the endpoint is away', async () => {
    refused = () => new EmbedderUnavailable('no connection');
    const all = await Promise.allSettled([gathered.vectors(['a']), gathered.vectors(['b'])]);
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(asked).toHaveLength(1);
  });
});
