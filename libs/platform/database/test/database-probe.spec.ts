import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { DatabaseProbe } from '../src';
import { type Running, startDatabase, until } from './support';

describe('the probe of a database', () => {
  let running: Running;
  beforeAll(async () => {
    running = await startDatabase();
  });
  afterAll(() => running.close());
  afterEach(() => jest.useRealTimers());

  it('a lost connection is replaced by the next question', async () => {
    const probe = new DatabaseProbe(running.server.connection('chat_app'));
    await probe.ping();
    running.server.cut();
    const answered = (): Promise<boolean> =>
      probe.ping().then(
        () => true,
        () => false,
      );
    await until(answered);
    await expect(probe.ping()).resolves.toBeUndefined();
    await probe.close();
  });

  it('a silent server fails each question within a second, on a connection of its own', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket.resume().on('error', () => undefined)));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { port: number };
    const probe = new DatabaseProbe({ host: '127.0.0.1', port, database: 'd', user: 'u', password: 'p' });
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    for (const questions of [1, 2]) {
      const isHeard = once(silent, 'connection');
      let isLate = false;
      const asked = probe.ping().finally(() => (isLate = true));
      const refused = expect(asked).rejects.toThrow();
      await isHeard;
      await jest.advanceTimersByTimeAsync(800);
      expect(isLate).toBe(false);
      await jest.advanceTimersByTimeAsync(200);
      await refused;
      expect(sockets).toHaveLength(questions);
    }
    jest.useRealTimers();
    await until(() => sockets.every(({ destroyed }) => destroyed));
    await probe.close();
    await new Promise((resolve) => silent.close(resolve));
  });
});
