import type { SessionTokens } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import type { Peppers } from '../keys/key-hash';
import type { AccessClaims, AccessTokens } from '../tokens/access-tokens';
import { newToken } from '../tokens/located-token';
import { TOKEN_SECONDS } from '../tokens/signing-keys';
import type { SessionStore } from './session.store';

/** Issues the tokens of sessions: an access token, and one that renews it once. */
export class SessionOpener {
  constructor(
    readonly sessions: SessionStore,
    private readonly access: AccessTokens,
    private readonly peppers: Peppers,
  ) {}

  /** The refresh token of a session, stored as its hash in the transaction that made the session what it is. */
  async renewal(tx: Transaction, { groupId, sessionId }: Omit<AccessClaims, 'assurance'>): Promise<string> {
    const { id, secret, text } = newToken('acr', groupId);
    await this.sessions.addRefresh(tx, id, sessionId, this.peppers.hash(secret), this.peppers.version);
    return text;
  }

  /** The answer with the tokens of a session; after its transaction, since the keys are read in one of their own. */
  async tokens(claims: AccessClaims, refreshToken: string | null): Promise<SessionTokens> {
    return {
      accessToken: await this.access.issue(claims),
      tokenType: 'bearer',
      expiresIn: TOKEN_SECONDS,
      refreshToken,
    };
  }
}
