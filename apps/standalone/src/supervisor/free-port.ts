import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ephemeral ports of common systems: no outgoing connection takes such a port before or between listens. */
const [LOWEST, HIGHEST] = [20_000, 32_768];
const TRIES = 100;

/** Listens on a port of loopback for a moment; 0 stands for any. Returns the port, or undefined if it is taken. */
const tried = (port: number): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(undefined);
      else reject(error);
    });
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : undefined));
    });
  });

/** A port of loopback that is free now, and that no outgoing connection takes later. */
export const freePort = async (): Promise<number> => {
  for (let turn = 0; turn < TRIES; turn += 1) {
    const port = await tried(randomInt(LOWEST, HIGHEST));
    if (port !== undefined) return port;
  }
  return (await tried(0)) ?? 0;
};
