import { createServer } from 'node:net';
import { freePorts } from './free-port';

describe('free ports', () => {
  it('many ports at once are all different, and free', async () => {
    const ports = await freePorts(300);
    expect(new Set(ports).size).toBe(300);
    for (const port of ports.slice(0, 5))
      await new Promise<void>((resolve, reject) => {
        const server = createServer().once('error', reject);
        server.listen(port, '127.0.0.1', () => server.close(() => resolve()));
      });
  });
});
