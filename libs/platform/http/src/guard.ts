import { type CanActivate, type ExecutionContext, Injectable, Optional } from '@nestjs/common';
import type { Request } from 'express';
import { Forbidden, Unauthorized } from '@acervo/contracts';
import { reaches, requirementOf, type Scope } from '@acervo/rbac';
import { KnownTenants } from './admission';
import { RequestBodies } from './body';
import { networkOf } from './network';
import { isPublicContract, servesApiKeys } from './paths';
import { attachScope } from './request';

/** A credential and the request that carries it. */
export interface Authentication {
  readonly bearer: string;
  /** Accepts a session that lacks its second factor. */
  readonly owingFactor: boolean;
  /** Whether the route serves API keys; a key on another route is refused, and not counted. */
  readonly servesApiKeys: boolean;
}

/** Turns a bearer credential into a scope. */
export abstract class Authenticator {
  /**
   * @throws Unauthorized for anything that is not a valid credential now
   * @throws RateLimited beyond the limits of its key or user
   * @throws Forbidden for a session that still owes its second factor, unless `owingFactor` permits that
   */
  abstract authenticate(authentication: Authentication): Promise<Scope>;
}

/** An API key was sent to a route outside the public contract. */
export class ApiKeyOnInternalRoute extends Forbidden {
  constructor() {
    super('An API key operates through the public /v1 API only.');
  }

  override get spoken(): string {
    return 'Una clave de API solo puede operar a través de la API pública /v1.';
  }
}

const BEARER = /^Bearer ([!-~]{1,4096})$/i;

const bearerOf = (request: Request): string => {
  const found = BEARER.exec(request.headers.authorization ?? '');
  if (found?.[1] === undefined) throw new Unauthorized();
  return found[1];
};

const API_KEY = /^Bearer acv_/i;
/** The public id stands after version and group. */
const KEY_ID = /^Bearer acv_1[0-9A-Za-z]{22}([0-9A-Za-z]{12})_/i;

/** The kind of credential that a request brings, and the public id of a key; nothing of it is verified. */
export const credentialOf = ({
  headers: { authorization },
}: Request): { credential: string; credentialId?: string } => {
  if (authorization === undefined) return { credential: 'none' };
  if (!API_KEY.test(authorization)) return { credential: 'session' };
  const credentialId = KEY_ID.exec(authorization)?.[1];
  return { credential: 'api_key', ...(credentialId === undefined ? {} : { credentialId }) };
};

/** Whether a request brings an API key to a path outside of the public contract, whether a route serves it or not. */
export const bringsKeyInside = ({ path, headers }: Request): boolean =>
  !isPublicContract(path) && API_KEY.test(headers.authorization ?? '');

const addressOf = ({ ip }: Request): string => `address:${networkOf(ip)}`;

/** A program without an authenticator has no route that requires a credential. */
class NoAuthenticator extends Authenticator {
  override authenticate(): Promise<Scope> {
    return Promise.reject(new Error('A route requires a credential, and this program verifies none.'));
  }
}

/** The one guard: closed by default. It checks the credential, then the rights, and then reads the body. */
@Injectable()
export class RequirementGuard implements CanActivate {
  constructor(
    private readonly tenants: KnownTenants,
    private readonly bodies: RequestBodies,
    @Optional() private readonly authenticator: Authenticator = new NoAuthenticator(),
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const requirement = requirementOf(context.getHandler(), context.getClass());
    if (requirement === undefined) throw new Forbidden('This route declares no requirement and is closed.');
    const request = context.switchToHttp().getRequest<Request>();
    if (requirement.kind === 'nobody') {
      // A route without a credential still refuses an API key, unless the route is public.
      if (bringsKeyInside(request)) throw new ApiKeyOnInternalRoute();
      await this.bodies.read(request, 'anonymous', [addressOf(request)]);
      return true;
    }
    const scope = await this.authenticator.authenticate({
      bearer: bearerOf(request),
      owingFactor: requirement.kind === 'session',
      servesApiKeys: servesApiKeys(request.path),
    });
    this.tenants.remember(request, scope.groupId);
    // A refusal below names the caller in the log.
    attachScope(request, scope);
    if (scope.credential === 'api_key' && !servesApiKeys(request.path)) throw new ApiKeyOnInternalRoute();
    if (!reaches(scope, requirement)) throw new Forbidden();
    await this.bodies.read(request, 'verified', [`group:${scope.groupId}`, addressOf(request)]);
    return true;
  }
}
