import { randomInt } from 'node:crypto';
import { createServer, type AddressInfo, type Server } from 'node:net';

/** Below the ephemeral ports of common systems: no outgoing connection takes such a port before or between listens. */
const [LOWEST, HIGHEST] = [20_000, 32_768];
const TRIES = 100;

/** Listens on a port of loopback; 0 stands for any. Undefined if it is taken. */
const listening = (port: number): Promise<Server | undefined> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(undefined);
      else reject(error);
    });
    server.listen(port, '127.0.0.1', () => resolve(server));
  });

const listeningAnywhere = async (): Promise<Server> => {
  for (let turn = 0; turn < TRIES; turn += 1) {
    const server = await listening(randomInt(LOWEST, HIGHEST));
    if (server !== undefined) return server;
  }
  const server = await listening(0);
  if (server === undefined) throw new Error('No port of loopback is free.');
  return server;
};

/** Different ports of loopback that are free now, and that no outgoing connection takes later. */
export const freePorts = async (count: number): Promise<number[]> => {
  // All are held until the last one is found: a port that is released at once may be found again.
  const servers: Server[] = [];
  while (servers.length < count) servers.push(await listeningAnywhere());
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
};

/** A port of loopback that is free now, and that no outgoing connection takes later. */
export const freePort = async (): Promise<number> => {
  const [port] = await freePorts(1);
  return port ?? 0;
};
