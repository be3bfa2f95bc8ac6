import { BatchSizes, batchesOf, onePerKey, sharedTrace } from './event-batches';
import type { Incoming } from './incoming-events';

/** `topic key` or `topic key group`; a `!` marks an event that failed before. */
const events = (...texts: string[]): Incoming[] =>
  texts.map((text, index) => {
    const [topic = '', key = '', group = 'g'] = text.replace('!', '').split(' ');
    const attempts = text.endsWith('!') ? 1 : 0;
    return {
      ...{ id: String(index), event_id: text, group_id: group, topic, event_key: key, payload: {} },
      ...{ cause: 'test', trace: null, attempts, age: 0, deaths: 0 },
    };
  });

const batches = (texts: readonly string[], most = 64): string[][] =>
  batchesOf(events(...texts), (topic) => (topic === 'single' ? 1 : most)).map((batch) =>
    batch.map(({ event_id }) => event_id),
  );

describe('the trace of a batch', () => {
  const trace = (digit: string, span: number): string => `00-${digit.repeat(32)}-${`${span}`.repeat(16)}-01`;
  it.each<[string, (string | null)[], string | undefined]>([
    ['spans of one trace', [trace('a', 1), trace('a', 2)], '1'.repeat(16)],
    ['two traces', [trace('a', 1), trace('b', 2)], undefined],
    ['a trace and none', [trace('a', 1), null], undefined],
    ['none', [null, null], undefined],
  ])('%s', (_what, traces, spanId) => {
    expect(sharedTrace(traces.map((each) => ({ trace: each })))?.spanId).toBe(spanId);
  });
});

describe('the batches of events', () => {
  it('events of a topic are gathered across keys, and topics of a key keep their order', () => {
    expect(batches(['a 1', 'b 1', 'a 2', 'b 2', 'a 3'])).toEqual([
      ['a 1', 'a 2', 'a 3'],
      ['b 1', 'b 2'],
    ]);
  });
  it('an event stays behind earlier events of its key', () => {
    expect(batches(['a 1', 'b 1', 'a 1', 'a 2'])).toEqual([['a 1'], ['b 1'], ['a 1', 'a 2']]);
  });
  it('events of one key and topic keep their order in a batch', () => {
    expect(batches(['a 1', 'a 2', 'a 1'])).toEqual([['a 1', 'a 2', 'a 1']]);
  });
  it('groups are not mixed', () => {
    expect(batches(['a 1 g', 'a 1 h', 'a 2 g'])).toEqual([['a 1 g', 'a 2 g'], ['a 1 h']]);
  });
  it('an event that failed before, and a handler of single events, are alone', () => {
    expect(batches(['a 1', 'a 2!', 'a 3', 'single 4', 'single 5'])).toEqual([
      ['a 1', 'a 3'],
      ['a 2!'],
      ['single 4'],
      ['single 5'],
    ]);
  });
  it('a full batch is followed by another', () => {
    expect(batches(['a 1', 'a 2', 'a 3'], 2)).toEqual([['a 1', 'a 2'], ['a 3']]);
  });
});

describe('the size of a batch', () => {
  it('the size grows while batches are fast and shrinks when they are slow', () => {
    const sizes = new BatchSizes();
    expect(sizes.of('a', 64)).toBe(16);
    sizes.took('a', 16, 4);
    expect(sizes.of('a', 64)).toBe(32);
    sizes.took('a', 32, 100);
    expect(sizes.of('a', 64)).toBe(16);
    for (let n = 0; n < 10; n += 1) sizes.took('a', 1, 1_000);
    expect(sizes.of('a', 64)).toBe(1);
    for (let n = 0; n < 10; n += 1) sizes.took('a', sizes.of('a', 64), 1);
    expect(sizes.of('a', 8)).toBe(8);
  });
});

describe('items with one of each key', () => {
  it('the second item of a key is in a later part', () => {
    expect(onePerKey(['a1', 'b1', 'a2', 'c1', 'a3'], (item) => item.charAt(0))).toEqual([
      ['a1', 'b1', 'c1'],
      ['a2'],
      ['a3'],
    ]);
    expect(onePerKey([], String)).toEqual([]);
  });
});
