import { createServer } from 'node:net';

/** The port is taken. */
export class PortInUse extends Error {
  constructor(readonly port: number) {
    super(`Port ${port} is in use; stop what listens there or choose another.`);
    this.name = 'PortInUse';
  }
}

/** The error of a listener that could not listen on a port. */
export const listenError = (error: NodeJS.ErrnoException, port: number): Error =>
  error.code === 'EADDRINUSE' ? new PortInUse(port) : error;

/** Checks that nothing listens on a port of this machine. @throws PortInUse */
export const assertPortFree = (port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => reject(listenError(error, port)));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve()));
  });
