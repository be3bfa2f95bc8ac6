import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Request, RequestHandler } from 'express';
import { Overloaded } from '@acervo/contracts';
import { networkOf } from './network';
import { listenerOfPath } from './paths';
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
  /** Whether a request of the tenant is refused now, as `run` would; it counts as refused. */
  abstract turnsAway(tenant: string): boolean;
  /** @throws Overloaded when too many requests wait */
  abstract run(tenant: string, work: () => Promise<void>): Promise<void>;
}

const OVERLOADED = problemOf(new Overloaded('this service'));

/**
 * Refuses a request that would not be admitted, before its body is read: under overload most of the time of a process
 * would go into refusals otherwise.
 */
export const shedRequests =
  (admission: RequestAdmission, tenants: KnownTenants): RequestHandler =>
  (request, response, next) => {
    if (listenerOfPath(request.path) === 'internal' || !admission.turnsAway(tenants.of(request))) return next();
    sendProblem(response, OVERLOADED, { path: request.path, requestId: requestIdOf(request) });
  };

const ended = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    response.once('finish', resolve);
    response.once('close', resolve);
  });

/**
 * Admits a request to a public path once its body is read, and before its credential is verified. A slow body holds no place, and a request whose client is gone is not worked on.
 */
export const admitRequests =
  (admission: RequestAdmission, tenants: KnownTenants): RequestHandler =>
  (request, response, next) => {
    if (listenerOfPath(request.path) === 'internal') return next();
    const work = (): Promise<void> => {
      if (response.destroyed) return Promise.resolve();
      const over = ended(response);
      next();
      return over;
    };
    admission.run(tenants.of(request), work).catch(next);
  };
