import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { atMost } from '@acervo/platform-resilience';
import { onConnection } from './on-connection';

/** Longest that requests in progress are waited for. */
const LONGEST_REQUEST_MS = 10_000;
/** Longest that a client may take to read the end of its answer. */
const LONGEST_GOODBYE_MS = 500;

/**
 * Ends a server without a lost request. While it drains, each answer carries `Connection: close`: its client moves to
 * another process. Node closes idle connections first and refuses nothing before: a request that is on its way then
 * meets a closed connection. Here idle connections are closed last.
 */
export class DrainingServer {
  private readonly open = new Set<ServerResponse>();
  /** Connections without a request so far; Node counts them as busy. */
  private readonly unused = new Set<Socket>();
  private isDraining = false;
  private whenAnswered: (() => void)[] = [];

  constructor(private readonly server: Server) {
    onConnection(server, (socket) => {
      this.unused.add(socket);
      socket.once('close', () => this.unused.delete(socket));
    });
  }

  /** Follows one answer; called before its request is handled. */
  follow(response: ServerResponse): void {
    if (this.isDraining) response.shouldKeepAlive = false;
    this.open.add(response);
    this.unused.delete(response.req.socket);
    response.once('close', () => this.ended(response));
  }

  /** Ends each connection with its next answer, those of requests in progress included. */
  drain(): void {
    this.isDraining = true;
    for (const response of this.open) if (!response.headersSent) response.shouldKeepAlive = false;
  }

  /**
   * Refuses new connections, finishes the requests in progress, then closes idle connections.
   * @param longestMs requests that take longer are ended without an answer
   */
  async close(longestMs = LONGEST_REQUEST_MS): Promise<void> {
    const { server } = this;
    this.drain();
    const closed = new Promise<void>((resolve) => server.once('close', resolve));
    // The method of the HTTP server would close idle connections now.
    NetServer.prototype.close.call(server);
    const started = performance.now();
    await atMost(longestMs, this.answered());
    server.close(() => undefined);
    for (const socket of this.unused) if (socket.bytesRead === 0) socket.destroy();
    await atMost(Math.max(LONGEST_GOODBYE_MS, longestMs - (performance.now() - started)), closed);
    server.closeAllConnections();
    await closed;
  }

  private answered(): Promise<void> {
    return this.open.size === 0
      ? Promise.resolve()
      : new Promise((resolve) => {
          this.whenAnswered.push(resolve);
        });
  }

  private ended(response: ServerResponse): void {
    this.open.delete(response);
    if (this.open.size === 0) for (const resolve of this.whenAnswered.splice(0)) resolve();
  }
}
