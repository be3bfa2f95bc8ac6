import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Request, RequestHandler } from 'express';
import { Overloaded } from '@acervo/contracts';
import { CallerGone, type Release } from '@acervo/platform-resilience';
import { networkOf } from './network';
import { isFile, listenerOfPath } from './paths';
import { problemOf } from './problem';
import { sendProblem } from './refused-request';
import { requestIdOf } from './request';

const MOST_CREDENTIALS = 10_000;

/** Names of the credentials of requests in progress: each is hashed once. */
const names = new WeakMap<IncomingMessage, string>();

const nameOf = (request: IncomingMessage): string | undefined => {
  const { authorization } = request.headers;
  if (authorization === undefined) return undefined;
  const name = names.get(request) ?? createHash('sha256').update(authorization).digest('base64url');
  names.set(request, name);
  return name;
};

/**
 * The groups of credentials that were verified before, the latest ones. They tell whose share of the process a request
 * uses before its credential is verified again; they admit nothing.
 */
@Injectable()
export class KnownTenants {
  private readonly groups = new Map<string, string>();

  /** The group of a known credential, else the address of the caller. */
  of(request: Request): string {
    const name = nameOf(request);
    const groupId = name === undefined ? undefined : this.groups.get(name);
    return groupId ?? `address:${networkOf(request.ip)}`;
  }

  remember(request: IncomingMessage, groupId: string): void {
    const name = nameOf(request);
    if (name === undefined) return;
    this.groups.delete(name);
    this.groups.set(name, groupId);
    const [oldest] = this.groups.keys();
    if (this.groups.size > MOST_CREDENTIALS && oldest !== undefined) this.groups.delete(oldest);
  }
}

/** Limits the requests that are worked on at a time, each tenant to its share. */
export abstract class RequestAdmission {
  /** Whether a request of the tenant is refused now, as `enter` would; it counts as refused. */
  abstract turnsAway(tenant: string): boolean;
  /**
   * A place, as the function that gives it back.
   * @param gone ends the wait of a request whose client is gone
   * @throws Overloaded when too many requests wait; CallerGone
   */
  abstract enter(tenant: string, gone: AbortSignal): Promise<Release>;
}

/** Probes and calls have bounds of their own, and a file costs no work. */
const isAdmittedAlways = (path: string): boolean => listenerOfPath(path) === 'internal' || isFile(path);

const OVERLOADED = problemOf(new Overloaded('this service'));

/**
 * Refuses a request that would not be admitted, before its body is read: under overload most of the time of a process
 * would go into refusals otherwise.
 */
export const shedRequests =
  (admission: RequestAdmission, tenants: KnownTenants): RequestHandler =>
  (request, response, next) => {
    if (isAdmittedAlways(request.path) || !admission.turnsAway(tenants.of(request))) return next();
    sendProblem(response, OVERLOADED, { path: request.path, requestId: requestIdOf(request) });
  };

/** Calls back when the first byte of an answer is written: its handler has the whole answer then, or the start of a stream. */
const whenAnswered = (response: ServerResponse, answered: () => void): void => {
  const writeHead = response.writeHead.bind(response) as (...head: readonly unknown[]) => ServerResponse;
  response.writeHead = (...head: readonly unknown[]) => {
    answered();
    return writeHead(...head);
  };
};

/**
 * Admits a request to a public path once its body is read, and before its credential is verified. Its place is free
 * again when its answer begins or its connection ends, whichever comes first: a client that reads slowly holds none, and
 * neither does a slow body or a stream. Files need no place.
 */
export const admitRequests =
  (admission: RequestAdmission, tenants: KnownTenants): RequestHandler =>
  (request, response, next) => {
    if (isAdmittedAlways(request.path)) return next();
    const over = new AbortController();
    let release: Release = () => undefined;
    const leave = (): void => {
      over.abort();
      release();
    };
    response.once('close', leave);
    whenAnswered(response, leave);
    admission.enter(tenants.of(request), over.signal).then(
      (permit) => {
        release = permit;
        if (!over.signal.aborted) return next();
        release();
      },
      (error: unknown) => (error instanceof CallerGone ? undefined : next(error)),
    );
  };
