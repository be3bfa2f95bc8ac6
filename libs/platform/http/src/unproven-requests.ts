import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { CallerGone, FairSemaphore, type Release } from '@acervo/platform-resilience';
import { whenAnswered } from './admission';
import { networkOf } from './network';
import { type UnprovenBounds, UnprovenConnections } from './unproven-connections';

/** What a listener asks of the senders of its requests. */
export interface SenderProofs extends UnprovenBounds {
  /** Whether the headers of a request prove that a service sent it. Never rejects. */
  readonly proves: (request: IncomingMessage) => Promise<boolean>;
}

/** Bounds of connections without a proof beside those with one. */
export const UNPROVEN_BOUNDS: UnprovenBounds = {
  most: 5_000,
  mostOfAddress: 256,
  longestMs: 10_000,
  longestTurnMs: 1_000,
};

/**
 * Requests without a proof that are worked on at a time. Probes are answered from memory and wait for no other kind; a
 * call may wait for its body.
 */
const AT_ONCE = { probe: 1, figures: 2, call: 4 } as const;
type Kind = keyof typeof AT_ONCE;
/** For each of them at a time, the process has this many times its duration for requests with a proof. */
const REST = 5;
const LONGEST_REST_MS = 50;

const kindOf = ({ method, url = '' }: IncomingMessage): Kind => {
  if (method !== 'GET' && method !== 'HEAD') return 'call';
  return url.startsWith('/health/') ? 'probe' : 'figures';
};

const turnsOf = (permits: number): FairSemaphore =>
  // Connections bound the queue: each has one request in it.
  new FairSemaphore({ permits, mostWaiting: Infinity, refusal: () => new CallerGone() });

/** Gives the turn of a request on, some time after its answer began. */
const endTurn = (kind: Kind, response: ServerResponse, release: Release, longestMs: number): void => {
  const begun = performance.now();
  const end = (): void => {
    clearTimeout(late);
    const restMs = REST * AT_ONCE[kind] * (performance.now() - begun);
    setTimeout(release, Math.min(LONGEST_REST_MS, restMs)).unref();
  };
  const late = setTimeout(end, longestMs).unref();
  whenAnswered(response, end);
  response.once('close', end);
};

const provers = new WeakMap<IncomingMessage, () => void>();

/** The body of a request proved its sender: its connection counts as that of a service, and its turn is over. */
export const connectionProven = (request: IncomingMessage): void => provers.get(request)?.();

/**
 * Keeps a listener of services open to them: a request on a connection that has shown a proof is handled at once. Any
 * other request takes its turn, networks one after the other, and is the only one of its connection.
 */
export class UnprovenRequests {
  private readonly connections: UnprovenConnections;
  private readonly turns: Readonly<Record<Kind, FairSemaphore>> = {
    probe: turnsOf(AT_ONCE.probe),
    figures: turnsOf(AT_ONCE.figures),
    call: turnsOf(AT_ONCE.call),
  };
  /** Connections that end with the answer to their request. */
  private readonly ending = new WeakSet<Socket>();

  constructor(
    server: Server,
    private readonly proofs: SenderProofs,
    private readonly handle: RequestListener,
  ) {
    this.connections = new UnprovenConnections(server, proofs);
  }

  readonly listener: RequestListener = (request, response) => {
    if (this.connections.isProven(request.socket)) this.handle(request, response);
    else void this.admit(request, response);
  };

  private async admit(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { socket } = request;
    if (this.ending.has(socket)) return;
    if (await this.proofs.proves(request)) {
      this.connections.prove(socket);
      return this.handle(request, response);
    }
    const release = await this.turnOf(request, response);
    if (release === undefined) return;
    provers.set(request, () => {
      this.connections.prove(socket);
      release();
    });
    whenAnswered(response, () => this.endUnlessProven(socket, response));
    endTurn(kindOf(request), response, release, this.proofs.longestTurnMs);
    this.handle(request, response);
  }

  /** The place of a request; undefined once its connection is gone. */
  private async turnOf(request: IncomingMessage, response: ServerResponse): Promise<Release | undefined> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    if (request.socket.destroyed) return undefined;
    const turns = this.turns[kindOf(request)];
    return turns.enter(networkOf(request.socket.remoteAddress), gone.signal).catch(() => undefined);
  }

  private endUnlessProven(socket: Socket, response: ServerResponse): void {
    if (this.connections.isProven(socket)) return;
    this.ending.add(socket);
    response.shouldKeepAlive = false;
  }
}
