import type { RequestHandler } from 'express';
import { networkOf } from './network';
import { listenerOfPath } from './paths';

/** Limits the requests of one address to the public listener, before anything of a request is read. */
export abstract class AddressLimiter {
  /** @throws RateLimited, and any error when it cannot count */
  abstract admit(address: string): Promise<void>;
}

/** Admits a request to a public path, or passes the error on; other services and probes are not limited. */
export const limitAddresses =
  (limiter: AddressLimiter): RequestHandler =>
  (request, _response, next) => {
    if (listenerOfPath(request.path) === 'internal') return next();
    limiter.admit(networkOf(request.ip)).then(() => next(), next);
  };
