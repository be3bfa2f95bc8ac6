import { createServer } from 'node:net';

/** The port is taken. */
export class PortInUse extends Error {
  constructor(readonly port: number) {
    super(`Port ${port} is in use; stop what listens there or choose another.`);
    this.name = 'PortInUse';
  }
}

/** This machine has no such address. */
export class AddressUnavailable extends Error {
  constructor(host: string) {
    super(`This machine has no address ${host}; set ACERVO_HOST and ACERVO_INTERNAL_HOST to addresses that it has.`);
    this.name = 'AddressUnavailable';
  }
}

/** The error of a listener that could not listen on a port of an address. */
export const listenError = (error: NodeJS.ErrnoException, port: number, host = ''): Error => {
  if (error.code === 'EADDRNOTAVAIL') return new AddressUnavailable(host);
  return error.code === 'EADDRINUSE' ? new PortInUse(port) : error;
};

/** Checks that nothing listens on a port of this machine. @throws PortInUse */
export const assertPortFree = (port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => reject(listenError(error, port)));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve()));
  });
