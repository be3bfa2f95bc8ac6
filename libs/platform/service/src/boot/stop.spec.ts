import type { RunningServer } from '@acervo/platform-http';
import { silent } from '@acervo/platform-testing';
import { stopInOrder, unlessStopped } from './stop';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('a service that stops', () => {
  const steps: string[] = [];
  beforeEach(() => void steps.splice(0));
  const step = (name: string) => (): Promise<void> => {
    steps.push(name);
    return Promise.resolve();
  };
  const listener = (name: string): RunningServer => ({
    ...{ port: 0, drain: () => void steps.push(`${name} drains`) },
    close: step(`${name} closes`),
  });
  const service = {
    logger: silent,
    drain: () => void steps.push('not ready'),
    stopWork: step('work stops'),
    close: step('closed'),
  };

  afterEach(() => jest.useRealTimers());

  it('it serves while it drains, then ends in order', async () => {
    jest.useFakeTimers();
    const stopped = stopInOrder(service, { internal: listener('internal'), public: listener('public') }, 150);
    await jest.advanceTimersByTimeAsync(149);
    expect(steps).toEqual(['not ready', 'public drains', 'internal drains']);
    await jest.advanceTimersByTimeAsync(1);
    await stopped;
    expect(steps.slice(3)).toEqual(['public closes', 'work stops', 'internal closes', 'closed']);
  });

  it('work and engines that do not end delay the end by seconds only', async () => {
    jest.useFakeTimers();
    const never = (): Promise<void> => new Promise(() => undefined);
    const hanging = { ...service, stopWork: never, close: never };
    const stopped = stopInOrder(hanging, { internal: listener('internal'), public: listener('public') }, 0);
    await jest.advanceTimersByTimeAsync(16_000);
    await expect(stopped).resolves.toBeUndefined();
  });
});

describe('a stop signal during a start', () => {
  const booted = (closed: string[]) => ({ close: () => Promise.resolve(void closed.push('closed')) });

  it('a service that boots in time is closed again', async () => {
    const [closed, stop]: [string[], AbortController] = [[], new AbortController()];
    const started = unlessStopped(
      pause(50).then(() => booted(closed)),
      stop.signal,
    );
    stop.abort('SIGTERM');
    expect(await started).toBeUndefined();
    expect(closed).toEqual(['closed']);
  });

  it('a start that fails meanwhile is no failure', async () => {
    const stop = new AbortController();
    const failing = pause(20).then((): never => {
      throw new Error('no database');
    });
    const started = unlessStopped(failing, stop.signal);
    stop.abort('SIGTERM');
    expect(await started).toBeUndefined();
  });

  it('a start that waits for an engine is left', async () => {
    jest.useFakeTimers();
    const stop = new AbortController();
    const started = unlessStopped(new Promise<ReturnType<typeof booted>>(() => undefined), stop.signal);
    stop.abort('SIGTERM');
    await jest.advanceTimersByTimeAsync(4_000);
    expect(await started).toBeUndefined();
  });

  it('without a signal the start succeeds or fails', async () => {
    const { signal } = new AbortController();
    const service = booted([]);
    expect(await unlessStopped(Promise.resolve(service), signal)).toBe(service);
    await expect(unlessStopped(Promise.reject(new Error('no database')), signal)).rejects.toThrow('no database');
  });
});
