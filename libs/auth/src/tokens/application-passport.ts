import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import passport from 'passport';

type IdentifiedRequest = Pick<Request, 'headers'>;
type Middleware = (request: IdentifiedRequest, response: object, next: (error: unknown) => void) => void;

/** A failure that passport-jwt reports like a refused token: the keys could not be read. */
export class StrategyFailure extends Error {
  constructor(override readonly cause: unknown) {
    super('The strategy could not verify the credential.');
  }
}

/**
 * The Passport of one application, which registers its strategies. `AuthGuard` of Nest uses the default instance of
 * the package, which all applications of a process share.
 */
@Injectable()
export class ApplicationPassport extends passport.Authenticator {
  /** The identity that a strategy finds in a request; false for a refusal. @throws the errors of the strategy */
  identify<Identity extends object>(strategy: string, request: IdentifiedRequest): Promise<Identity | false> {
    return new Promise((resolve, reject) => {
      const settle = (error: unknown, identity?: Identity | false | null, refusal?: unknown): void => {
        const failure = refusal instanceof StrategyFailure ? refusal.cause : error;
        if (failure === null || failure === undefined) resolve(identity ?? false);
        else reject(failure as Error);
      };
      // Passport copies a strategy for each request when it gets the name. A strategy object would be shared and
      // changed by all requests.
      const authenticate = this.authenticate(strategy, { session: false }, settle) as Middleware;
      authenticate(request, {}, reject);
    });
  }
}
