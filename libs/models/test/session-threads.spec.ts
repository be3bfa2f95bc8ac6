import { join } from 'node:path';
import { EmbedderUnavailable } from '../src';
import type { SessionSettings } from '../src/e5/session-messages';
import { SessionThread, SessionThreadEnded } from '../src/e5/session-thread';
import { SessionThreads, type SessionThreadsSettings } from '../src/e5/session-threads';

const ENTRY = join(__dirname, 'scripted-worker.cjs');
const [LIVES, GATE] = [0, 1];

describe('threads with sessions', () => {
  let shared: Int32Array<SharedArrayBuffer>;
  let threads: SessionThreads;
  const deaths: Error[] = [];
  const settings = (): SessionSettings => ({
    ...{ directory: '', precision: 'int8', vocabulary: shared.buffer, cores: 1, nice: 0 },
  });
  const start = async (options: Partial<SessionThreadsSettings> = {}): Promise<SessionThreads> => {
    threads = new SessionThreads({
      ...{ threads: 1, mostWaiting: 4, onEnd: (error) => deaths.push(error), ...options },
      open: () => SessionThread.open(settings(), ENTRY),
    });
    await threads.start();
    return threads;
  };
  const embed = (...texts: string[]): Promise<number[]> =>
    threads.embed(texts.map((text) => ({ text, kind: 'passage' }))).then((all) => all.map(({ tokens }) => tokens));
  const openGate = (): void => {
    Atomics.store(shared, GATE, 1);
    Atomics.notify(shared, GATE);
  };

  beforeEach(() => {
    shared = new Int32Array(new SharedArrayBuffer(8));
    deaths.length = 0;
  });
  afterEach(async () => {
    openGate();
    await threads.close();
  });

  it('vectors come in the order of their texts', async () => {
    await start({ threads: 2 });
    expect(await embed('a', 'bb', 'ccc')).toEqual([1, 2, 3]);
  });
  it('a thread that dies in the middle is replaced, and its text is embedded by another', async () => {
    await start();
    expect(await embed('dies 1', 'b')).toEqual([6, 1]);
    expect([deaths.length, Atomics.load(shared, LIVES)]).toEqual([1, 2]);
  });
  it('a text with which threads die repeatedly fails alone', async () => {
    await start();
    const failing = embed('dies 9');
    const other = embed('b');
    await expect(failing).rejects.toBeInstanceOf(EmbedderUnavailable);
    expect(await other).toEqual([1]);
  });
  it('a text that the session refuses fails, and its thread goes on', async () => {
    await start();
    await expect(embed('refused')).rejects.toBeInstanceOf(EmbedderUnavailable);
    expect(await embed('b')).toEqual([1]);
    expect(deaths).toEqual([]);
  });
  it('texts beyond the bounded queue are refused at once', async () => {
    await start();
    const running = embed('waits');
    const waiting = embed('a', 'b', 'c', 'd');
    await expect(embed('e')).rejects.toBeInstanceOf(EmbedderUnavailable);
    expect(threads.waiting).toBe(4);
    openGate();
    expect(await Promise.all([running, waiting])).toEqual([[5], [1, 1, 1, 1]]);
  });
  it('threads beyond the allowed number rest', async () => {
    await start({ threads: 2, allowed: () => 1 });
    const running = embed('waits');
    const second = embed('b');
    expect([threads.waiting, threads.longestRunMs > 0]).toEqual([1, true]);
    openGate();
    expect(await Promise.all([running, second])).toEqual([[5], [1]]);
  });
  it('closing fails what waits and finishes what runs', async () => {
    await start();
    const running = embed('waits');
    const waiting = expect(embed('b')).rejects.toBeInstanceOf(EmbedderUnavailable);
    const closed = threads.close();
    openGate();
    await closed;
    await waiting;
    expect(await running).toEqual([5]);
    await expect(embed('c')).rejects.toBeInstanceOf(EmbedderUnavailable);
  });
  it('a session that cannot be opened fails the start with the reason', async () => {
    await start();
    const absent = SessionThread.open({ ...settings(), precision: 'absent' as 'int8' }, ENTRY);
    await expect(absent).rejects.toThrow(SessionThreadEnded);
    await expect(absent).rejects.toThrow('no session');
  });
});
