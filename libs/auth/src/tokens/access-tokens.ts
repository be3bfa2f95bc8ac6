import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SignJWT } from 'jose';
import { Unauthorized } from '@acervo/contracts';
import { AuthConfig } from '../auth-config';
import { type AccessClaims, TOKEN_AUDIENCE, TOKEN_TYPE } from './access-token';
import { ACCESS_TOKEN } from './access-token.strategy';
import { ApplicationPassport } from './application-passport';
import { SigningKeys, TOKEN_ALGORITHM, TOKEN_SECONDS } from '../secrets/signing-keys';

/** Issues access tokens, and verifies those that calls carry. */
@Injectable()
export class AccessTokens {
  constructor(
    private readonly keys: SigningKeys,
    private readonly config: AuthConfig,
    private readonly passport: ApplicationPassport,
  ) {}

  async issue({ userId, groupId, sessionId, assurance }: AccessClaims): Promise<string> {
    const { kid, key } = await this.keys.current();
    return new SignJWT({ gid: groupId, sid: sessionId, aal: assurance })
      .setProtectedHeader({ alg: TOKEN_ALGORITHM, kid, typ: TOKEN_TYPE })
      .setIssuer(this.config.tokenIssuer)
      .setAudience(TOKEN_AUDIENCE)
      .setSubject(userId)
      .setJti(randomUUID())
      .setIssuedAt()
      .setExpirationTime(`${TOKEN_SECONDS}s`)
      .sign(key);
  }

  /** @throws Unauthorized for every text that is not a currently valid access token of this installation. */
  async verify(token: string): Promise<AccessClaims> {
    const request = { headers: { authorization: `Bearer ${token}` } };
    const claims = await this.passport.identify<AccessClaims>(ACCESS_TOKEN, request);
    if (claims === false) throw new Unauthorized();
    return claims;
  }
}
