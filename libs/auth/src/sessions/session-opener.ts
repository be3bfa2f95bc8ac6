import { Injectable } from '@nestjs/common';
import type { SessionTokens } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { Peppers } from '../secrets/peppers';
import type { AccessClaims } from '../tokens/access-token';
import { AccessTokens } from '../tokens/access-tokens';
import { newToken } from '../secrets/located-token';
import { TOKEN_SECONDS } from '../secrets/signing-keys';
import { SessionStore } from '../credentials/session.store';

/** Issues the tokens of sessions: an access token, and a refresh token that renews it once. */
@Injectable()
export class SessionOpener {
  constructor(
    readonly sessions: SessionStore,
    private readonly access: AccessTokens,
    private readonly peppers: Peppers,
  ) {}

  /** The refresh token of a session. Its hash is stored in the transaction that changes the session. */
  async renewal(tx: Transaction, { groupId, sessionId }: Omit<AccessClaims, 'assurance'>): Promise<string> {
    const { id, secret, text } = newToken('acr', groupId);
    await this.sessions.addRefresh(tx, id, sessionId, this.peppers.hash(secret), this.peppers.version);
    return text;
  }

  /** The answer with the tokens of a session. It follows the transaction, because the keys are read in another one. */
  async tokens(claims: AccessClaims, refreshToken: string | null): Promise<SessionTokens> {
    return {
      accessToken: await this.access.issue(claims),
      tokenType: 'bearer',
      expiresIn: TOKEN_SECONDS,
      refreshToken,
    };
  }
}
