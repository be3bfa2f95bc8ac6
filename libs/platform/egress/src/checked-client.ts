import { buildConnector, Client } from 'undici';
import type { Target } from './target';

/** Opens a connection to `hostname`, which is an address here. */
export type Connect = buildConnector.connector;

const CONNECT_MS = 5_000;
const HEADER_BYTES = 16_384;
/** Addresses of a name that are tried, one after the other. */
const MOST_ADDRESSES = 4;

export const systemConnect: Connect = buildConnector({
  timeout: CONNECT_MS,
  maxCachedSessions: 0,
  rejectUnauthorized: true,
});

/** Connects to checked addresses alone. The name of the target is what TLS asks for and checks the certificate by. */
const connectTo = (addresses: readonly string[], { host, isLiteral }: Target, connect: Connect): Connect => {
  const servername = isLiteral ? {} : { servername: host };
  return (options, callback) => {
    const attempt = (index: number): void => {
      const hostname = addresses[index] ?? '';
      connect({ ...options, ...servername, hostname }, (...[error, socket]) => {
        if (error === null) return callback(null, socket);
        if (index + 1 < Math.min(addresses.length, MOST_ADDRESSES)) return attempt(index + 1);
        callback(error, null);
      });
    };
    attempt(0);
  };
};

/** A client for one exchange with the checked addresses of a target. The caller destroys it. */
export const checkedClient = (target: Target, addresses: readonly string[], connect: Connect): Client =>
  new Client(target.url.origin, { connect: connectTo(addresses, target, connect), maxHeaderSize: HEADER_BYTES });
