import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { RequestHandler } from 'express';
import { NotFound } from '@acervo/contracts';
import { DrainingServer } from './draining-server';
import { type Listener, listenerOfPath } from './paths';
import { listenError } from './ports';
import { answerRefusedRequests } from './refused-request';

const accepted = new WeakMap<IncomingMessage, Listener>();

/** Answers 404 to a path of the other listener. */
export const onlyOwnListener: RequestHandler = (request, _response, next) => {
  const listener = accepted.get(request);
  next(listener === undefined || listener === listenerOfPath(request.path) ? undefined : new NotFound());
};

export interface RunningServer {
  readonly port: number;
  /** From now on each answer ends its connection; requests are still served. */
  drain(): void;
  /**
   * Refuses new connections, finishes the requests in progress, then closes idle connections.
   * @param longestMs requests that take longer are ended without an answer; 10 s unless it is given
   */
  close(longestMs?: number): Promise<void>;
}

const KEEP_ALIVE_MS = 65_000;

/** Starts the server of one listener. @throws PortInUse, AddressUnavailable */
export const serve = (
  listener: Listener,
  handler: RequestListener,
  host: string,
  port: number,
): Promise<RunningServer> => {
  // Node's own refusal of a request without a host has no body; `requireHost` refuses it with the envelope.
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    accepted.set(request, listener);
    draining.follow(response);
    handler(request, response);
  });
  const draining = new DrainingServer(server);
  answerRefusedRequests(server);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.headersTimeout = KEEP_ALIVE_MS + 1_000;
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, port, host)));
    server.listen(port, host, () => {
      const address = server.address();
      resolve({
        port: typeof address === 'object' && address !== null ? address.port : port,
        drain: () => draining.drain(),
        close: (longestMs) => draining.close(longestMs),
      });
    });
  });
};
