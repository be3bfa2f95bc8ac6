import { Injectable } from '@nestjs/common';
import { InvalidInput, type PasswordSet, type SetPassword, setPasswordByToken } from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Database, type Transaction } from '@acervo/platform-database';
import type { Anonymous } from '@acervo/rbac';
import { RegistrationStore } from '../accounts/registration.store';
import { SessionStore } from '../credentials/session.store';
import { type LocatedToken, parseToken } from '../secrets/located-token';
import { AccountStore } from '../accounts/account.store';
import { ActionTokenStore, kindOf, type StoredAction } from './action-token.store';
import { EarlierAccessStore } from './earlier-access.store';
import { PasswordHasher } from '../accounts/password-hasher';
import { assertGoodPassword } from './password-policy';

/** One answer for every token that is spent, expired, of another kind or malformed. */
const tokenRefused = (): InvalidInput => new InvalidInput({ missing: [], invalid: ['token'], unknown: 0 });
const SET = 'La contraseña quedó establecida. Ya puede iniciar sesión.';

/** Sets passwords by the links that arrive by mail. */
@Injectable()
export class PasswordsHandlers {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountStore,
    private readonly actions: ActionTokenStore,
    private readonly hasher: PasswordHasher,
    private readonly registrations: RegistrationStore,
    private readonly sessions: SessionStore,
    private readonly earlierAccess: EarlierAccessStore,
  ) {}

  @Handles(setPasswordByToken)
  async set(
    _scope: Anonymous,
    { token, password, revokeKeys = false }: SetPassword,
    context: WriteContext,
  ): Promise<PasswordSet> {
    assertGoodPassword(password);
    const located = parseToken('aci', token) ?? parseToken('acp', token);
    if (located === undefined) throw tokenRefused();
    const action = await this.database.read(located, (tx) => this.actions.find(tx, located));
    if (action === undefined) return this.confirm(located, password, context);
    this.assertUsable(located, action);
    context.concerns({ subject: action.userCode });
    const hash = await this.hasher.hash(password);
    await context.writeIn(located, (tx) => this.replace(tx, located, action, { hash, revokeKeys }));
    return { message: SET, registration: null, account: action.userCode };
  }

  /** The token of a registration confirms the address; group and user follow. */
  private async confirm(located: LocatedToken, password: string, context: WriteContext): Promise<PasswordSet> {
    const { registrations, hasher } = this;
    const registration = await registrations.byToken(located);
    if (registration === undefined) throw tokenRefused();
    const hash = await hasher.hash(password);
    await context.writeIn(located, async (tx) => {
      if (!(await registrations.confirm(tx, located.id, hash))) throw tokenRefused();
    });
    return { message: SET, registration: registration.email, account: registration.email };
  }

  private assertUsable({ text }: LocatedToken, { open, purpose, state }: StoredAction): void {
    const ofItsKind = text.startsWith(`${kindOf[purpose]}_`);
    const forThisState = purpose === 'INVITACION' ? state !== 'INACTIVO' : state === 'ACTIVO';
    if (!open || !ofItsKind || !forThisState) throw tokenRefused();
  }

  /**
   * Every session that the old password opened ends, and every device is unknown again. The first confirmation of an
   * address revokes what the account had before: it may come from a stranger who knew the address. After it a recovery
   * revokes keys where its owner asks for that, and a second factor stays.
   */
  private async replace(
    tx: Transaction,
    { id }: LocatedToken,
    { userId }: StoredAction,
    { hash, revokeKeys }: { readonly hash: string; readonly revokeKeys: boolean },
  ): Promise<void> {
    const { accounts, actions, earlierAccess, sessions } = this;
    if (!(await actions.spend(tx, id))) throw tokenRefused();
    const isFirst = !(await earlierAccess.isConfirmed(tx, userId));
    if (isFirst || revokeKeys) await earlierAccess.revokeKeys(tx, userId);
    if (isFirst) await earlierAccess.removeFactors(tx, userId);
    await accounts.setPassword(tx, userId, hash);
    await actions.confirmAddress(tx, userId);
    await actions.voidAll(tx, userId, ['INVITACION', 'RECUPERACION']);
    await sessions.endAll(tx, userId);
  }
}
