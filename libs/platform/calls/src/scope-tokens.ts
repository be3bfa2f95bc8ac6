import { Injectable } from '@nestjs/common';
import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import { encode, revive, ScopeClaims, scopeIssuer, Unauthorized } from '@acervo/contracts';
import { Scope } from '@acervo/rbac';
import { KeysUnavailable } from './errors';
import { ALGORITHM, type PeerKeys, ServiceKeys } from './keys';

const TYPE = 'acervo-scope+jwt';
const AUDIENCE = 'acervo-internal';
const LIFETIME_S = 60;
const RENEWABLE_S = 600;
const SKEW_S = 5;

/** Mints scope tokens: auth alone has one, with its own keys. */
@Injectable()
export class ScopeMint {
  constructor(private readonly keys: ServiceKeys) {}

  mint(claims: ScopeClaims): Promise<string> {
    const { kid, key } = this.keys.signing;
    return new SignJWT({ scope: encode(ScopeClaims, claims) })
      .setProtectedHeader({ alg: ALGORITHM, kid, typ: TYPE })
      .setIssuer(scopeIssuer)
      .setAudience(AUDIENCE)
      .setIssuedAt()
      .setExpirationTime(`${LIFETIME_S}s`)
      .sign(key);
  }
}

/** Reads scope tokens with the keys that auth publishes. */
export class ScopeVerifier {
  constructor(private readonly peers: PeerKeys) {}

  /** The scope of a token of the last 60 seconds. @throws Unauthorized, KeysUnavailable */
  async verify(token: string): Promise<Scope> {
    return new Scope(await this.claims(token, 0), token);
  }

  /** The claims of a token that is at most ten minutes old, to be verified again. @throws Unauthorized */
  renewable(token: string): Promise<ScopeClaims> {
    return this.claims(token, RENEWABLE_S - LIFETIME_S);
  }

  private async claims(token: string, grace: number): Promise<ScopeClaims> {
    try {
      const { kid } = decodeProtectedHeader(token);
      const key = await this.peers.find(scopeIssuer, kid ?? '');
      const { payload } = await jwtVerify(token, key, {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer: scopeIssuer,
        audience: AUDIENCE,
        clockTolerance: SKEW_S + grace,
        requiredClaims: ['iat', 'exp'],
      });
      return revive(ScopeClaims, payload['scope']);
    } catch (error) {
      // The token may be valid while auth does not answer: the client retries.
      throw error instanceof KeysUnavailable ? error : new Unauthorized();
    }
  }
}
