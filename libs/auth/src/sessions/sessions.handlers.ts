import { Injectable } from '@nestjs/common';
import {
  type LoginAttempt,
  logIn,
  logOut,
  type Empty,
  type OpenedSession,
  type RefreshRequest,
  refreshSession,
  type Confirmation,
  type SessionTokens,
  Unauthorized,
  WrongCredentials,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import { networkOf } from '@acervo/platform-http';
import type { Anonymous, Scope } from '@acervo/rbac';
import { AttemptLimiter } from '../attempts/attempt-limiter';
import { Peppers } from '../secrets/peppers';
import { type Account, AccountStore } from '../accounts/account.store';
import { PasswordHasher } from '../accounts/password-hasher';
import { type LocatedToken, parseToken } from '../secrets/located-token';
import { homeOf } from '../kernel/home';
import { SessionOpener } from './session-opener';
import type { StoredRefresh } from '../credentials/session.store';

/** Begins, renews and ends sessions. */
@Injectable()
export class SessionsHandlers {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountStore,
    private readonly hasher: PasswordHasher,
    private readonly attemptLimiter: AttemptLimiter,
    private readonly opener: SessionOpener,
    private readonly peppers: Peppers,
  ) {}

  @Handles(logIn)
  async logIn(_scope: Anonymous, attempt: LoginAttempt, context: WriteContext): Promise<OpenedSession> {
    const { attemptLimiter } = this;
    const accounts = await this.accounts.find(attempt.email, 'ACTIVO');
    const counted = await attemptLimiter.password(attempt.email, attempt, accounts);
    const account = await this.account(accounts, attempt);
    if (account === undefined) throw new WrongCredentials();
    await counted.succeeded();
    const opened = await this.open(account, context);
    const deviceToken = opened.mfaRequired ? null : attemptLimiter.knownDevice(account);
    return { ...opened, deviceToken };
  }

  @Handles(logOut)
  async logOut(scope: Scope, _input: Empty, context: WriteContext): Promise<Confirmation> {
    await context.writeUnder(homeOf(scope), (tx) => this.opener.sessions.end(tx, scope.credentialId));
    return { message: 'Sesión cerrada.' };
  }

  /** A refresh token that is used twice may be stolen: the session ends. */
  @Handles(refreshSession)
  async refresh(_scope: Anonymous, { refreshToken }: RefreshRequest, context: WriteContext): Promise<SessionTokens> {
    const { sessions } = this.opener;
    const token = parseToken('acr', refreshToken);
    const stored = token && (await this.stored(token));
    if (token === undefined || stored === undefined || stored.over) throw new Unauthorized();
    const claims = { ...stored, groupId: token.groupId };
    const next = await context.writeIn(token, async (tx) => {
      await sessions.lock(tx, stored.sessionId);
      if (!(await sessions.spend(tx, token.id))) return void (await sessions.end(tx, stored.sessionId));
      return this.opener.renewal(tx, claims);
    });
    if (next === undefined) throw new Unauthorized();
    return this.opener.tokens(claims, next);
  }

  /** The stored side of a refresh token whose secret fits. */
  private async stored({ groupId, id, secret }: LocatedToken): Promise<StoredRefresh | undefined> {
    const { database, opener, peppers } = this;
    const found = await database.read({ groupId }, (tx) => opener.sessions.refresh(tx, id));
    const genuine = found !== undefined && peppers.matches(secret, found.hash, found.pepperVersion);
    return genuine ? found : undefined;
  }

  /** Of several unconfirmed accounts of an address, the password decides; without an account, the same work is done. */
  private async account(
    accounts: readonly Account[],
    { password, address }: LoginAttempt,
  ): Promise<Account | undefined> {
    const network = networkOf(address);
    if (accounts.length === 0) await this.hasher.matches(password, null, network);
    const right: Account[] = [];
    for (const account of accounts) if (await this.hasher.matches(password, account.hash, network)) right.push(account);
    return right.find(({ hasRoles }) => hasRoles);
  }

  private async open(
    { groupId, userId, factorId }: Account,
    context: WriteContext,
  ): Promise<Omit<OpenedSession, 'deviceToken'>> {
    const { opener } = this;
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
