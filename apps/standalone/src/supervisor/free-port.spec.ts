import { createServer } from 'node:net';
import { freePort } from './free-port';

describe('a free port', () => {
  it('a free port accepts a listener and is not ephemeral', async () => {
    for (const port of await Promise.all(Array.from({ length: 20 }, () => freePort()))) {
      expect(port).toBeGreaterThanOrEqual(20_000);
      expect(port).toBeLessThan(32_768);
    }
    const server = createServer();
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    expect(server.address()).toMatchObject({ port });
    await new Promise((resolve) => server.close(resolve));
  });
});
