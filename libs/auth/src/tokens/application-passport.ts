import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import passport from 'passport';

type IdentifiedRequest = Pick<Request, 'headers'>;
type Middleware = (request: IdentifiedRequest, response: object, next: (error: unknown) => void) => void;

/**
 * The Passport of one application, which registers its strategies. `AuthGuard` of Nest uses the default instance of
 * the package, which all applications of a process share.
 */
@Injectable()
export class ApplicationPassport extends passport.Authenticator {
  /** The identity that a strategy finds in a request; false for a refusal. @throws the errors of the strategy */
  identify<Identity extends object>(strategy: string, request: IdentifiedRequest): Promise<Identity | false> {
    return new Promise((resolve, reject) => {
      const settle = (error: unknown, identity?: Identity | false | null): void =>
        error === null || error === undefined ? resolve(identity ?? false) : reject(error as Error);
      // Passport copies a strategy for each request when it gets the name. A strategy object would be shared and
      // changed by all requests.
      const authenticate = this.authenticate(strategy, { session: false }, settle) as Middleware;
      authenticate(request, {}, reject);
    });
  }
}
