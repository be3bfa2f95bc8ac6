import {
  InvalidInput,
  type IssuedLink,
  issueAdministratorLink,
  issuePasswordLink,
  type Nothing,
  type PasswordSet,
  type PersonInGroup,
  type SetPassword,
  setPasswordByToken,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import type { Database, Transaction } from '@acervo/platform-database';
import type { Anonymous, WorkScope } from '@acervo/rbac';
import { passwordLink } from '../mails/letters';
import type { ProvisioningStore } from '../provisioning/provisioning.store';
import type { RegistrationStore } from '../registration/registration.store';
import type { SessionStore } from '../sessions/session.store';
import { type LocatedToken, parseToken } from '../tokens/located-token';
import type { AccountStore } from './account.store';
import type { ActionTokenStore, StoredAction } from './action-token.store';
import { kindOf } from './action-token.store';
import type { PasswordHasher } from './password-hasher';
import { assertGoodPassword } from './password-policy';

export interface PasswordParts {
  readonly database: Database;
  readonly accounts: AccountStore;
  readonly actions: ActionTokenStore;
  readonly hasher: PasswordHasher;
  readonly registrations: RegistrationStore;
  readonly sessions: SessionStore;
  readonly provisioning: ProvisioningStore;
  readonly publicUrl: string;
}

/** One answer for a token that is spent, late, of another kind or none at all. */
const tokenRefused = (): InvalidInput => new InvalidInput({ missing: [], invalid: ['token'], unknown: 0 });
const SET = 'La contraseña quedó establecida. Ya puede iniciar sesión.';

/** Sets passwords by the links that arrive by mail. */
export class PasswordsService {
  constructor(private readonly parts: PasswordParts) {}

  @Handles(setPasswordByToken)
  async set(_scope: Anonymous, { token, password }: SetPassword, context: WriteContext): Promise<PasswordSet> {
    assertGoodPassword(password);
    const located = parseToken('aci', token) ?? parseToken('acp', token);
    if (located === undefined) throw tokenRefused();
    const action = await this.parts.database.read(located, (tx) => this.parts.actions.find(tx, located));
    if (action === undefined) return this.confirm(located, password, context);
    this.assertUsable(located, action);
    const hash = await this.parts.hasher.hash(password);
    await context.writeIn(located, (tx) => this.replace(tx, located, action, hash));
    return { message: SET, registration: null };
  }

  @Handles(issuePasswordLink)
  async issueLink(_scope: WorkScope, { userId, purpose }: PersonInGroup, context: WriteContext): Promise<IssuedLink> {
    return context.write(async (tx) => this.link(await this.parts.actions.issue(tx, userId, purpose)));
  }

  @Handles(issueAdministratorLink)
  async issueAdministratorLink(_scope: WorkScope, _input: Nothing, context: WriteContext): Promise<IssuedLink> {
    return context.write(async (tx) => {
      const { administratorId } = await this.parts.provisioning.overview(tx);
      return this.link(await this.parts.actions.issue(tx, administratorId, 'RECUPERACION'));
    });
  }

  /** The token of a registration confirms the address; group and user follow. */
  private async confirm(located: LocatedToken, password: string, context: WriteContext): Promise<PasswordSet> {
    const { registrations, hasher } = this.parts;
    const registration = await registrations.byToken(located);
    if (registration === undefined) throw tokenRefused();
    const hash = await hasher.hash(password);
    await context.writeIn(located, async (tx) => {
      if (!(await registrations.confirm(tx, located.id, hash))) throw tokenRefused();
    });
    return { message: SET, registration: registration.email };
  }

  private assertUsable({ text }: LocatedToken, { open, purpose, state }: StoredAction): void {
    const ofItsKind = text.startsWith(`${kindOf[purpose]}_`);
    const forThisState = purpose === 'INVITACION' ? state !== 'INACTIVO' : state === 'ACTIVO';
    if (!open || !ofItsKind || !forThisState) throw tokenRefused();
  }

  /** Whoever was in by the old password is out; a second factor stays what it was. */
  private async replace(tx: Transaction, { id }: LocatedToken, { userId }: StoredAction, hash: string): Promise<void> {
    const { accounts, actions, sessions } = this.parts;
    if (!(await actions.spend(tx, id))) throw tokenRefused();
    await accounts.setPassword(tx, userId, hash);
    await actions.activate(tx, userId);
    await actions.voidAll(tx, userId, ['INVITACION', 'RECUPERACION']);
    await sessions.endAll(tx, userId);
  }

  private link(token: string): IssuedLink {
    return { link: passwordLink(this.parts.publicUrl, token) };
  }
}
