import fc from 'fast-check';
import { Received, united } from './received';

const part = (start: number, end: number, over: object = {}) => ({
  ...{ user: 'U', document: 'D', characters: 1_000, ranges: [{ start, end }] },
  ...over,
});

describe('what users received', () => {
  it('united ranges are disjoint, in order and cover the same places', () => {
    const range = fc.tuple(fc.nat(60), fc.nat(20)).map(([start, length]) => ({ start, end: start + length }));
    const within = (at: number) => (each: { start: number; end: number }) => each.start <= at && at < each.end;
    fc.assert(
      fc.property(fc.array(range, { maxLength: 12 }), (ranges) => {
        const all = ranges.reduce<readonly { start: number; end: number }[]>(united, []);
        for (const [index, each] of all.entries()) expect(all[index + 1]?.start ?? Infinity).toBeGreaterThan(each.end);
        for (let at = 0; at < 90; at += 1) expect(all.some(within(at))).toBe(ranges.some(within(at)));
      }),
    );
  });

  it('a document counts once, at four fifths within an hour', () => {
    const received = new Received();
    expect(received.add(part(0, 500), 0)).toBe(0);
    expect(received.add(part(100, 500), 1)).toBe(0);
    expect(received.add(part(600, 900), 2)).toBe(1);
    expect(received.add(part(0, 1_000), 3)).toBe(0);
    expect(received.add(part(0, 900, { document: 'E' }), 4)).toBe(2);
    expect(received.add(part(0, 900, { user: 'V' }), 5)).toBe(1);
  });

  it('parts of another hour do not add up', () => {
    const received = new Received();
    received.add(part(0, 500), 0);
    expect(received.add(part(500, 1_000), 3_600_000)).toBe(0);
  });

  it('the oldest of too many users is forgotten', () => {
    const received = new Received();
    for (let user = 0; user <= 1_000; user += 1) received.add(part(0, 500, { user: `U${user}` }), 0);
    expect(received.add(part(500, 1_000, { user: 'U0' }), 0)).toBe(0);
    expect(received.add(part(500, 1_000, { user: 'U1000' }), 0)).toBe(1);
  });
});
