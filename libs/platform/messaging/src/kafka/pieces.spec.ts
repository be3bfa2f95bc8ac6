import { randomUUID } from 'node:crypto';
import type { WrittenEvent } from './envelope';
import { inPieces, PIECE_BYTES } from './pieces';

const eventOf = (bytes: number): WrittenEvent => ({
  event_id: randomUUID(),
  group_id: randomUUID(),
  topic: 'document.prepared.v1',
  event_key: randomUUID(),
  payload: JSON.stringify('x'.repeat(bytes)),
  cause: randomUUID(),
  occurred_at: '2026-01-01T00:00:00.000000+00:00',
  trace: null,
});
const weight = (events: readonly WrittenEvent[]): number =>
  events.reduce((sum, each) => sum + Buffer.byteLength(JSON.stringify(each)), 0);

describe('a batch of events', () => {
  it.each([
    ['small ones', 500, 300, 1],
    ['large ones', 500, 10_000, 7],
    ['huge ones', 3, 700_000, 3],
    ['none', 0, 0, 1],
  ])('a batch of %s is cut into accepted pieces, in order', (_name, count, bytes, pieces) => {
    const events = Array.from({ length: count }, () => eventOf(bytes));
    const found = inPieces(events);
    expect(found.flat()).toEqual(events);
    expect(found.length).toBeGreaterThanOrEqual(pieces);
    if (pieces === 1) expect(found).toHaveLength(1);
    for (const piece of found.filter(({ length }) => length > 1))
      expect(weight(piece)).toBeLessThanOrEqual(PIECE_BYTES);
  });

  it('the size of a piece counts bytes, not characters', () => {
    const events = [1, 2].map(() => ({ ...eventOf(0), payload: JSON.stringify('\u{20AC}'.repeat(200_000)) }));
    expect(inPieces(events)).toHaveLength(2);
  });
});
