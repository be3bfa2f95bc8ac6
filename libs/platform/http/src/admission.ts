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

/** The place of one request among those that the process works on. */
class RequestPlace {
  private readonly over = new AbortController();
  private release: Release | undefined;

  constructor(private readonly enter: (gone: AbortSignal) => Promise<Release>) {}

  /** @throws Overloaded; CallerGone once the request is over */
  async take(): Promise<void> {
    const release = await this.enter(this.over.signal);
    if (this.over.signal.aborted) {
      release();
      throw new CallerGone();
    }
    this.release = release;
  }

  /** The request is over: its place is free for good. */
  leave(): void {
    this.over.abort();
    this.giveBack();
  }

  /** Does work that waits for the client, without the place. */
  async outside<T>(work: () => Promise<T>): Promise<T> {
    this.giveBack();
    try {
      return await work();
    } finally {
      await this.take();
    }
  }

  private giveBack(): void {
    this.release?.();
    this.release = undefined;
  }
}

const places = new WeakMap<IncomingMessage, RequestPlace>();

/**
 * Reads what a client still has to send. Its request holds no place meanwhile; one that has arrived whole keeps its
 * place. @throws what the work throws; Overloaded; CallerGone
 */
export const outsideOfPlace = <T>(request: IncomingMessage, work: () => Promise<T>): Promise<T> => {
  const place = request.complete ? undefined : places.get(request);
  return place === undefined ? work() : place.outside(work);
};

/** Calls back when the first byte of an answer is written: its handler has the whole answer then, or the start of a stream. */
export const whenAnswered = (response: ServerResponse, answered: () => void): void => {
  const writeHead = response.writeHead.bind(response) as (...head: readonly unknown[]) => ServerResponse;
  response.writeHead = (...head: readonly unknown[]) => {
    answered();
    return writeHead(...head);
  };
};

/**
 * Admits a request to a public path before its credential is verified and its body is read. Its place is free again when
 * its answer begins or its connection ends, whichever comes first: a client that reads slowly holds none, and neither
 * does a slow body or a stream. Files need no place. Refusals are many under overload, and are sent at once.
 */
export const admitRequests =
  (admission: RequestAdmission, tenants: KnownTenants): RequestHandler =>
  (request, response, next) => {
    if (isAdmittedAlways(request.path)) return next();
    const place = new RequestPlace((gone) => admission.enter(tenants.of(request), gone));
    places.set(request, place);
    const leave = (): void => place.leave();
    response.once('close', leave);
    whenAnswered(response, leave);
    place.take().then(
      () => next(),
      (error: unknown) => {
        if (error instanceof CallerGone) return;
        if (!(error instanceof Overloaded)) return next(error);
        sendProblem(response, OVERLOADED, { path: request.path, requestId: requestIdOf(request) });
      },
    );
  };
