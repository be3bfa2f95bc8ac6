import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from './network';

/** Bounds of the connections of the internal listener that have shown no proof of a service. */
export interface UnprovenBounds {
  /** All of them; one more ends the oldest one of the address with the most. */
  readonly most: number;
  /** Those of one address; one more ends its oldest one. */
  readonly mostOfAddress: number;
  /** A connection that has shown no proof for so long is ended. */
  readonly longestMs: number;
  /** A request without a proof that takes longer lets the next one begin. */
  readonly longestTurnMs: number;
}

interface Unproven {
  readonly socket: Socket;
  readonly late: NodeJS.Timeout;
}

/** The two ends of a connection that TLS wraps have the same remote port. */
const keyOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/**
 * The connections of a server until one of their requests carries a valid proof. A new connection is never refused: it
 * displaces an older one, so that a service always has the time to show its proof.
 */
export class UnprovenConnections {
  /** By network, each in the order of their beginning. */
  private readonly networks = new Map<string, Map<string, Unproven>>();
  private readonly proven = new WeakSet<Socket>();
  private count = 0;

  constructor(
    server: Server,
    private readonly bounds: UnprovenBounds,
  ) {
    // The handshake of TLS counts, too: the event comes before it.
    server.on('connection', (socket: Socket) => this.add(socket));
  }

  isProven(socket: Socket): boolean {
    return this.proven.has(socket);
  }

  /** A request of this connection carried a valid proof: the bounds no longer concern it. */
  prove(socket: Socket): void {
    this.proven.add(socket);
    this.remove(networkOf(socket.remoteAddress), keyOf(socket));
  }

  private add(socket: Socket): void {
    const [network, key] = [networkOf(socket.remoteAddress), keyOf(socket)];
    const ofNetwork = this.networks.get(network) ?? new Map<string, Unproven>();
    this.networks.set(network, ofNetwork);
    const late = setTimeout(() => socket.destroy(), this.bounds.longestMs).unref();
    ofNetwork.set(key, { socket, late });
    this.count += 1;
    socket.once('close', () => this.remove(network, key));
    if (ofNetwork.size > this.bounds.mostOfAddress) this.endOldest(network);
    else if (this.count > this.bounds.most) this.endOldest(this.largestNetwork());
  }

  private largestNetwork(): string {
    let [largest, most] = ['', 0];
    for (const [network, { size }] of this.networks) if (size > most) [largest, most] = [network, size];
    return largest;
  }

  private endOldest(network: string): void {
    const [oldest] = this.networks.get(network) ?? [];
    if (oldest === undefined) return;
    this.remove(network, oldest[0]);
    oldest[1].socket.destroy();
  }

  private remove(network: string, key: string): void {
    const ofNetwork = this.networks.get(network);
    const found = ofNetwork?.get(key);
    if (ofNetwork === undefined || found === undefined) return;
    clearTimeout(found.late);
    ofNetwork.delete(key);
    this.count -= 1;
    if (ofNetwork.size === 0) this.networks.delete(network);
  }
}
