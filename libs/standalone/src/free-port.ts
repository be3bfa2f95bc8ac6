import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below what systems give connections that leave: such a port is not taken before it is listened on, or listened on again. */
const [LOWEST, HIGHEST] = [20_000, 32_768];
const TRIES = 100;

/** Whether nobody listens on a port of loopback; 0 stands for any. Answers the port, undefined when it is taken. */
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

/** A port that is free now on loopback, and that no connection of this machine is given meanwhile. */
export const freePort = async (): Promise<number> => {
  for (let turn = 0; turn < TRIES; turn += 1) {
    const port = await tried(randomInt(LOWEST, HIGHEST));
    if (port !== undefined) return port;
  }
  return (await tried(0)) ?? 0;
};
