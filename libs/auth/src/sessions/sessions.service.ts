import {
  type LoginAttempt,
  logIn,
  logOut,
  type Nothing,
  type OpenedSession,
  type RefreshRequest,
  refreshSession,
  type Said,
  type SessionTokens,
  Unauthorized,
  WrongCredentials,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import type { Database } from '@acervo/platform-database';
import type { Anonymous, Scope } from '@acervo/rbac';
import type { Guesses } from '../guesses/guesses';
import type { Peppers } from '../keys/key-hash';
import type { Account, AccountStore } from '../passwords/account.store';
import type { PasswordHasher } from '../passwords/password-hasher';
import { type LocatedToken, parseToken } from '../tokens/located-token';
import { homeOf } from './home';
import type { SessionOpener } from './session-opener';
import type { StoredRefresh } from './session.store';

export interface SessionParts {
  readonly database: Database;
  readonly accounts: AccountStore;
  readonly hasher: PasswordHasher;
  readonly guesses: Guesses;
  readonly opener: SessionOpener;
  readonly peppers: Peppers;
}

/** Begins, renews and ends sessions. */
export class SessionsService {
  constructor(private readonly parts: SessionParts) {}

  @Handles(logIn)
  async logIn(_scope: Anonymous, attempt: LoginAttempt, context: WriteContext): Promise<OpenedSession> {
    const { accounts, hasher, guesses } = this.parts;
    const guess = await guesses.password(attempt.email, attempt);
    const account = await accounts.find(attempt.email);
    const right = await hasher.matches(attempt.password, account?.hash);
    if (!right || account === undefined || account.state !== 'ACTIVO' || !account.hasRoles)
      throw new WrongCredentials();
    await guess.right();
    const opened = await this.open(account, context);
    const deviceToken = opened.mfaRequired ? null : guesses.knownDevice(attempt.email);
    return { ...opened, deviceToken };
  }

  @Handles(logOut)
  async logOut(scope: Scope, _input: Nothing, context: WriteContext): Promise<Said> {
    await context.writeUnder(homeOf(scope), (tx) => this.parts.opener.sessions.end(tx, scope.credentialId));
    return { message: 'Sesión cerrada.' };
  }

  /** A token that is sent a second time is in two hands: the session ends for both. */
  @Handles(refreshSession)
  async refresh(_scope: Anonymous, { refreshToken }: RefreshRequest, context: WriteContext): Promise<SessionTokens> {
    const { sessions } = this.parts.opener;
    const token = parseToken('acr', refreshToken);
    const stored = token && (await this.stored(token));
    if (token === undefined || stored === undefined || stored.over) throw new Unauthorized();
    const claims = { ...stored, groupId: token.groupId };
    const next = await context.writeIn(token, async (tx) => {
      if (!(await sessions.spend(tx, token.id))) return void (await sessions.end(tx, stored.sessionId));
      return this.parts.opener.renewal(tx, claims);
    });
    if (next === undefined) throw new Unauthorized();
    return this.parts.opener.tokens(claims, next);
  }

  /** The stored side of a refresh token whose secret fits. */
  private async stored({ groupId, id, secret }: LocatedToken): Promise<StoredRefresh | undefined> {
    const { database, opener, peppers } = this.parts;
    const found = await database.read({ groupId }, (tx) => opener.sessions.refresh(tx, id));
    const genuine = found !== undefined && peppers.matches(secret, found.hash, found.pepperVersion);
    return genuine ? found : undefined;
  }

  private async open(
    { groupId, userId, factorId }: Account,
    context: WriteContext,
  ): Promise<Omit<OpenedSession, 'deviceToken'>> {
    const { opener } = this.parts;
    const mfaRequired = factorId !== null;
    const { sessionId, refresh } = await context.writeIn({ groupId }, async (tx) => {
      const id = await opener.sessions.open(tx, userId);
      return {
        sessionId: id,
        refresh: mfaRequired ? null : await opener.renewal(tx, { groupId, userId, sessionId: id }),
      };
    });
    const tokens = await opener.tokens({ groupId, userId, sessionId, assurance: 1 }, refresh);
    return { ...tokens, mfaRequired, factorId };
  }
}
