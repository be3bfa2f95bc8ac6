import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Pending {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Handles the requests of a connection one after the other: the next one begins when the client has the answer to the
 * one before. Node handles pipelined requests at once, and their answers wait in memory for a client that reads nothing.
 * A connection that sends more requests than this before its first answer is ended.
 */
export const inOrder = (most: number, handle: RequestListener): RequestListener => {
  const waiting = new WeakMap<Socket, Pending[]>();
  const begin = (pending: Pending[], { request, response }: Pending): void => {
    response.once('close', () => {
      const next = pending.shift();
      if (next === undefined) waiting.delete(request.socket);
      else if (!request.socket.destroyed) begin(pending, next);
    });
    handle(request, response);
  };
  return (request, response) => {
    const pending = waiting.get(request.socket);
    if (pending !== undefined) {
      pending.push({ request, response });
      if (pending.length >= most) request.socket.destroy();
      return;
    }
    const none: Pending[] = [];
    waiting.set(request.socket, none);
    begin(none, { request, response });
  };
};
