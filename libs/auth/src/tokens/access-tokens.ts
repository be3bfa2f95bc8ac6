import { randomUUID } from 'node:crypto';
import { decodeProtectedHeader, SignJWT } from 'jose';
import { type Request } from 'express';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { Unauthorized } from '@acervo/contracts';
import { type SigningKeys, TOKEN_ALGORITHM, TOKEN_SECONDS } from './signing-keys';

const TYPE = 'at+jwt';
const AUDIENCE = 'acervo-api';
const SKEW_S = 5;

/** What an access token says; whether it still holds is read from the session, on each request. */
export interface AccessClaims {
  readonly userId: string;
  /** The group that the user belongs to. */
  readonly groupId: string;
  readonly sessionId: string;
  readonly assurance: number;
}

interface Complete {
  readonly header: { readonly typ?: unknown };
  readonly payload: Readonly<Record<string, unknown>>;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const uuidAt = (payload: Complete['payload'], name: string): string => {
  const value = payload[name];
  if (typeof value !== 'string' || !UUID.test(value)) throw new Unauthorized();
  return value;
};

const claimsOf = ({ header, payload }: Complete): AccessClaims => {
  const { aal, exp } = payload;
  if (header.typ !== TYPE || typeof exp !== 'number' || (aal !== 1 && aal !== 2)) throw new Unauthorized();
  return {
    userId: uuidAt(payload, 'sub'),
    groupId: uuidAt(payload, 'gid'),
    sessionId: uuidAt(payload, 'sid'),
    assurance: aal,
  };
};

/** Issues access tokens and reads them again: one algorithm, our own keys by their id, type, issuer and audience. */
export class AccessTokens {
  private readonly strategy: Strategy;

  constructor(
    private readonly keys: SigningKeys,
    private readonly issuer: string,
  ) {
    this.strategy = new Strategy(
      {
        jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
        secretOrKeyProvider: (_request, token: string, done) => void this.keyOf(token, done),
        algorithms: [TOKEN_ALGORITHM],
        issuer,
        audience: AUDIENCE,
        jsonWebTokenOptions: { clockTolerance: SKEW_S, complete: true },
      },
      (complete: Complete, done: (error: unknown, user?: AccessClaims | false) => void) => done(null, read(complete)),
    );
  }

  async issue({ userId, groupId, sessionId, assurance }: AccessClaims): Promise<string> {
    const { kid, key } = await this.keys.current();
    return new SignJWT({ gid: groupId, sid: sessionId, aal: assurance })
      .setProtectedHeader({ alg: TOKEN_ALGORITHM, kid, typ: TYPE })
      .setIssuer(this.issuer)
      .setAudience(AUDIENCE)
      .setSubject(userId)
      .setJti(randomUUID())
      .setIssuedAt()
      .setExpirationTime(`${TOKEN_SECONDS}s`)
      .sign(key);
  }

  /** @throws Unauthorized for whatever is not an access token of ours, now. */
  verify(token: string): Promise<AccessClaims> {
    return new Promise((resolve, reject) => {
      const refuse = (): void => reject(new Unauthorized());
      // A strategy answers through methods that passport puts on a copy of it for each request.
      const asked: Strategy = Object.assign(Object.create(this.strategy) as Strategy, {
        success: (claims: AccessClaims) => resolve(claims),
        fail: refuse,
        error: reject,
      });
      asked.authenticate({ headers: { authorization: `Bearer ${token}` } } as Request);
    });
  }

  private async keyOf(token: string, done: (error: unknown, key?: string) => void): Promise<void> {
    try {
      const key = await this.keys.find(decodeProtectedHeader(token).kid ?? '');
      done(key === undefined ? new Unauthorized() : null, key?.export({ format: 'pem', type: 'spki' }).toString());
    } catch {
      done(new Unauthorized());
    }
  }
}

const read = (complete: Complete): AccessClaims | false => {
  try {
    return claimsOf(complete);
  } catch {
    return false;
  }
};
