import fc from 'fast-check';
import { boundedResult } from './bounded-result';

type JsonObject = Readonly<Record<string, unknown>>;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value), 'utf8');
const MOST = 64_000;

/** Whether a value is what it was, with lists and texts that end earlier. */
const isBeginningOf = (now: unknown, before: unknown): boolean => {
  if (typeof now === 'string') return typeof before === 'string' && before.startsWith(now);
  if (Array.isArray(now)) return Array.isArray(before) && now.every((item, at) => isBeginningOf(item, before[at]));
  if (typeof now !== 'object' || now === null) return Object.is(now, before);
  return Object.entries(now).every(([name, value]) => isBeginningOf(value, (before as JsonObject)[name]));
};

const objects: fc.Arbitrary<JsonObject> = fc
  .dictionary(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.jsonValue({ stringUnit: 'binary', depthSize: 'medium' }),
  )
  // Pure JSON: no negative zero, no object without a prototype.
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonObject)
  .filter((value) => !Object.hasOwn(value, 'truncated') && !Object.hasOwn(value, 'omitted'));

describe('a bounded result', () => {
  it('results of any shape stay valid, within the limit and prefixes', () => {
    fc.assert(
      fc.property(objects, fc.integer({ min: 64, max: 2_000 }), (value, most) => {
        const result = boundedResult(value, most);
        expect(bytesOf(result)).toBeLessThanOrEqual(most);
        if (bytesOf(value) <= most) {
          expect(result).toBe(value);
          return;
        }
        const { truncated, omitted, ...left } = JSON.parse(JSON.stringify(result)) as JsonObject;
        expect([truncated, Number.isInteger(omitted)]).toEqual([true, true]);
        expect(isBeginningOf(left, value)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('a long list keeps as many items as fit', () => {
    const documents = Array.from({ length: 2_000 }, (_, number) => ({ code: `D${number}`, name: 'Acta de riego' }));
    const result = boundedResult({ documents, total: 2_000 }, MOST);
    const left = result['documents'] as readonly unknown[];
    expect(result).toMatchObject({ total: 2_000, truncated: true, omitted: 2_000 - left.length });
    expect(left).toEqual(documents.slice(0, left.length));
    expect(bytesOf(result)).toBeGreaterThan(MOST - 150);
  });

  it('the largest of several lists is shortened first', () => {
    const [short, long] = [['a', 'b'], Array.from({ length: 200 }, (_, number) => number)];
    const { short: left, long: shortened } = boundedResult({ short, long }, 400);
    expect(left).toEqual(short);
    expect((shortened as readonly number[]).length).toBeLessThan(long.length);
  });

  it('a list within a single item is shortened', () => {
    const chunks = Array.from({ length: 100 }, (_, number) => ({ text: `Párrafo ${number}` }));
    const result = boundedResult({ documents: [{ code: 'D1', chunks }] }, 500);
    const [document] = result['documents'] as readonly { code: string; chunks: readonly unknown[] }[];
    expect(document?.code).toBe('D1');
    expect(document?.chunks).toEqual(chunks.slice(0, document?.chunks.length));
    expect(result['omitted']).toBe(chunks.length - (document?.chunks.length ?? 0));
  });

  it('a single long text is cut at a code point, its list kept', () => {
    const text = '🫒'.repeat(30_000);
    const result = boundedResult({ items: [{ code: 'D1', text }] }, MOST);
    const [item] = result['items'] as readonly { text: string }[];
    expect(result).toMatchObject({ truncated: true, omitted: 0 });
    expect(item?.text.isWellFormed()).toBe(true);
    expect(text.startsWith(item?.text ?? '-')).toBe(true);
    expect(bytesOf(result)).toBeGreaterThan(MOST - 100);
  });

  it('a hundred thousand lists are not compared item by item', () => {
    const items = Array.from({ length: 100_000 }, (_, number) => [number]);
    const left = boundedResult({ items }, MOST)['items'] as readonly unknown[];
    expect(left).toEqual(items.slice(0, left.length));
    expect(left.length).toBeGreaterThan(7_000);
  });

  it('an object without lists and texts loses its last values', () => {
    const value = Object.fromEntries(Array.from({ length: 100 }, (_, number) => [`n${number}`, number]));
    const result = boundedResult(value, 300);
    expect(result).toMatchObject({ n0: 0, truncated: true });
    expect(result).not.toHaveProperty('n99');
  });
});
