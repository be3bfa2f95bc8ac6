import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { RequestHandler } from 'express';
import { NotFound } from '@acervo/contracts';
import { type Face, faceOfPath } from './paths';

const accepted = new WeakMap<IncomingMessage, Face>();

/** The port is taken. */
export class PortInUse extends Error {
  constructor(readonly port: number) {
    super(`Port ${port} is in use; stop what listens there or choose another.`);
    this.name = 'PortInUse';
  }
}

/** 404 for a path that does not belong to the server that accepted the request. */
export const onlyOwnFace: RequestHandler = (request, _response, next) => {
  const face = accepted.get(request);
  next(face === undefined || face === faceOfPath(request.path) ? undefined : new NotFound());
};

export interface RunningServer {
  readonly port: number;
  /** Stops accepting, lets what is running end, then closes. */
  close(): Promise<void>;
}

const KEEP_ALIVE_MS = 65_000;

const closing = (server: Server) => (): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 10_000).unref();
  });

/** One server of one face. @throws PortInUse */
export const serve = (face: Face, handler: RequestListener, host: string, port: number): Promise<RunningServer> => {
  const server = createServer((request, response) => {
    accepted.set(request, face);
    handler(request, response);
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.headersTimeout = KEEP_ALIVE_MS + 1_000;
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new PortInUse(port) : error),
    );
    server.listen(port, host, () => {
      const address = server.address();
      resolve({ port: typeof address === 'object' && address !== null ? address.port : port, close: closing(server) });
    });
  });
};
