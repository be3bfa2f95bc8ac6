import type { Agent } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Longest life of a connection, in milliseconds. A balancer chooses a process for each connection, not for each request:
 * a new process gets its share within this time.
 */
const LIFETIME_MS = 30_000;
/** A life is up to a third shorter, so that connections that opened together do not end together. */
const JITTER = 1 / 3;
/**
 * A connection without calls is closed after this time. It is less than the default drain of a process, which closes
 * idle connections last: then there are none, and no call is written to a connection that is about to close.
 */
export const IDLE_MS = 3_000;

/** Ends the connections of an agent when their life is over, between two requests only. Answers the agent. */
export const withLimitedLife = <A extends Agent>(
  agent: A,
  lifetimeMs = LIFETIME_MS,
  clock = (): number => performance.now(),
): A => {
  const ends = new WeakMap<Socket, number>();
  // Before the listener of the agent, which gives the connection to the next request or keeps it.
  agent.prependListener('free', (socket: Socket) => {
    const now = clock();
    const end = ends.get(socket) ?? now + lifetimeMs * (1 - Math.random() * JITTER);
    ends.set(socket, end);
    if (now >= end) socket.destroy();
  });
  return agent;
};
