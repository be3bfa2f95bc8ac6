import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Periodic } from '@acervo/platform-resilience';
import { networkOf } from './network';
import { onConnection } from './on-connection';
import { rawAnswer } from './refused-request';

/** Bounds of the connections of one listener. */
export interface ConnectionLimits {
  /** Connections of the listener; further ones are closed. */
  readonly most: number;
  /** Connections of one address; further ones get 429. Without a bound where a proxy opens the connections. */
  readonly mostOfAddress: number;
  /** Requests that a connection may send before the first of them is answered; one more ends it. */
  readonly pipelined: number;
  /** A client that takes nothing of its answer for so long is cut. */
  readonly stalledMs: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  most: 10_000,
  mostOfAddress: Infinity,
  pipelined: 16,
  stalledMs: 10_000,
};

/** Looks at a connection in the time after which it counts as stalled. */
const LOOKS = 4;
const TOO_MANY = 429;
const RETRY_AFTER_S = 1;

const numberAt = (holder: unknown, name: string): number | undefined => {
  const value: unknown = typeof holder === 'object' && holder !== null ? Reflect.get(holder, name) : undefined;
  return typeof value === 'number' ? value : undefined;
};

/** Bytes of a connection that wait for its client, and those that the kernel has taken. */
const writtenOf = (socket: Socket): { readonly unsent: number; readonly sent: number } => {
  // Node publishes the length of whole chunks alone; a slow client takes a large chunk in small parts.
  const inKernelQueue = numberAt(Reflect.get(socket, '_handle'), 'writeQueueSize');
  const dispatched = numberAt(socket, '_bytesDispatched');
  const unsent = Math.max(socket.writableLength, inKernelQueue ?? 0);
  if (inKernelQueue === undefined || dispatched === undefined) return { unsent, sent: socket.bytesWritten - unsent };
  return { unsent, sent: dispatched - inKernelQueue };
};

interface Progress {
  readonly sent: number;
  readonly since: number;
}

/** Cuts clients that take nothing of their answers: an answer stays in memory until its client has taken it. */
const cutStalled = (server: Server, open: ReadonlySet<Socket>, stalledMs: number): void => {
  const progress = new WeakMap<Socket, Progress>();
  const isStalled = (socket: Socket): boolean => {
    const { unsent, sent } = writtenOf(socket);
    const before = progress.get(socket);
    if (unsent > 0 && before?.sent === sent) return performance.now() - before.since >= stalledMs;
    progress.set(socket, { sent, since: performance.now() });
    return false;
  };
  const look = (): void => {
    for (const socket of open) if (isStalled(socket)) socket.destroy();
  };
  const looks = new Periodic(look, { everyMs: stalledMs / LOOKS });
  looks.start();
  server.once('close', () => void looks.stop());
};

/** Connections of a listener by the network of their clients. */
class Addresses {
  private readonly counts = new Map<string, number>();

  constructor(private readonly most: number) {}

  /** Whether a connection is within the bound; it counts until it is closed. */
  admits(socket: Socket): boolean {
    const address = networkOf(socket.remoteAddress);
    const count = (this.counts.get(address) ?? 0) + 1;
    if (count > this.most) return false;
    this.counts.set(address, count);
    socket.once('close', () => this.left(address));
    return true;
  }

  private left(address: string): void {
    const count = (this.counts.get(address) ?? 1) - 1;
    if (count === 0) this.counts.delete(address);
    else this.counts.set(address, count);
  }
}

/**
 * Bounds the connections of a server: their number, that of one address, and the time in which a client takes nothing.
 * @returns whether the requests of a connection are served
 */
export const limitConnections = (server: Server, limits: ConnectionLimits): ((socket: Socket) => boolean) => {
  const { most, mostOfAddress, stalledMs } = limits;
  const addresses = new Addresses(mostOfAddress);
  const open = new Set<Socket>();
  const refused = new WeakSet<Socket>();
  server.maxConnections = most;
  onConnection(server, (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    if (addresses.admits(socket)) return;
    refused.add(socket);
    socket.write(rawAnswer(TOO_MANY, { 'Retry-After': RETRY_AFTER_S }));
    socket.destroySoon();
  });
  cutStalled(server, open, stalledMs);
  return (socket) => !refused.has(socket);
};
