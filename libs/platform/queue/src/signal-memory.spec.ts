import { SignalMemory } from './signal-memory';

const GROUP = 'g';

describe('the memory of signals', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const open = () => {
    const late: string[] = [];
    const memory = new SignalMemory((groupId, stage) => late.push(`${groupId}-${stage}`));
    return { memory, late };
  };

  it('many signals before their batch begins are one, and one late one', async () => {
    const { memory, late } = open();
    expect([1, 2, 3].map(() => memory.isDue(GROUP, 'a'))).toEqual([true, false, false]);
    expect(memory.isDue(GROUP, 'b')).toBe(true);
    await jest.advanceTimersByTimeAsync(300);
    expect(late).toEqual(['g-a']);
  });

  it('a batch that begins covers the signals before it', async () => {
    const { memory, late } = open();
    expect([1, 2].map(() => memory.isDue(GROUP, 'a'))).toEqual([true, false]);
    memory.begun(GROUP, 'a');
    await jest.advanceTimersByTimeAsync(300);
    expect(late).toEqual([]);
  });

  it('while its batch runs no signal is due; after its end one is', () => {
    const { memory } = open();
    memory.begun(GROUP, 'a');
    memory.begun(GROUP, 'a');
    memory.ended(GROUP, 'a');
    expect(memory.isDue(GROUP, 'a')).toBe(false);
    memory.ended(GROUP, 'a');
    expect(memory.isDue(GROUP, 'a')).toBe(true);
  });

  it('a closed memory sends no late signal', async () => {
    const { memory, late } = open();
    memory.isDue(GROUP, 'a');
    memory.isDue(GROUP, 'a');
    memory.close();
    await jest.advanceTimersByTimeAsync(300);
    expect(late).toEqual([]);
  });
});
