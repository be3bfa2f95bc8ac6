import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { RequestHandler } from 'express';
import { NotFound } from '@acervo/contracts';
import type { BaseConfig } from '@acervo/platform-config';
import { CONNECTION_LIMITS, type ConnectionLimits, limitConnections } from './connection-limits';
import { DrainingServer } from './draining-server';
import { followCertificate, type ListenerTls, readCertificate, UnusableCertificate } from './listener-tls';
import { type Listener, listenerOfPath } from './paths';
import { listenError } from './ports';
import { answerRefusedRequests } from './refused-request';
import { inOrder } from './requests-in-order';
import { type SenderProofs, UnprovenRequests } from './unproven-requests';

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
/** Longest time for the headers of a request, and for the whole of it: a slow sender holds memory. */
const [LONGEST_HEADERS_MS, LONGEST_REQUEST_MS] = [20_000, 30_000];
/** How often Node looks for requests that take longer. */
const LOOK_MS = 5_000;

/** What a listener speaks TLS with; `failed` gets the error of a replaced certificate that cannot be used. */
export interface ListenerSecurity {
  readonly files: ListenerTls;
  readonly failed: (error: unknown) => void;
}

// Node's own refusal of a request without a host has no body; `requireHost` refuses it with the envelope.
const OPTIONS = { requireHostHeader: false, connectionsCheckingInterval: LOOK_MS };

/** @throws UnusableCertificate */
const createSecureServer = ({ files, failed }: ListenerSecurity, onRequest: RequestListener): TlsServer => {
  try {
    const server = createTlsServer({ ...OPTIONS, ...readCertificate(files) }, onRequest);
    followCertificate(server, files, failed);
    return server;
  } catch (error) {
    throw new UnusableCertificate(files, error);
  }
};

/** Bounds of the connections to the public port, by the settings of a program. */
export const publicBounds = ({
  connections: most,
  connectionsPerAddress,
  trustedProxies,
}: Pick<BaseConfig, 'connections' | 'connectionsPerAddress' | 'trustedProxies'>): Partial<ConnectionLimits> => ({
  most,
  mostOfAddress: trustedProxies > 0 ? Infinity : connectionsPerAddress,
});

/** Bounds of a listener; where services send calls to it, also how they prove themselves. */
export interface ListenerBounds extends Partial<ConnectionLimits> {
  readonly senders?: SenderProofs;
}

/** Starts the server of one listener. @throws PortInUse, AddressUnavailable, UnusableCertificate */
export const serve = (
  listener: Listener,
  handler: RequestListener,
  host: string,
  port: number,
  security?: ListenerSecurity,
  { senders, ...bounds }: ListenerBounds = {},
): Promise<RunningServer> => {
  const limits = { ...CONNECTION_LIMITS, ...bounds };
  const handled = inOrder(limits.pipelined, (request, response) => {
    accepted.set(request, listener);
    draining.follow(response);
    admitted(request, response);
  });
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    if (isServed(request.socket)) handled(request, response);
  };
  const server: Server =
    security === undefined ? createServer(OPTIONS, onRequest) : createSecureServer(security, onRequest);
  const draining = new DrainingServer(server);
  const isServed = limitConnections(server, limits);
  const admitted = senders === undefined ? handler : new UnprovenRequests(server, senders, handler).listener;
  answerRefusedRequests(server);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.headersTimeout = LONGEST_HEADERS_MS;
  server.requestTimeout = LONGEST_REQUEST_MS;
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
