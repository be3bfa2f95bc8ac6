import { type RecoveryFrom, issuePasswordLink, recoverPassword, resendInvitation, type Said } from '@acervo/contracts';
import { type Calls, Handles } from '@acervo/platform-calls';
import type { Mail, Post } from '@acervo/platform-mail';
import { type Anonymous, WorkScope } from '@acervo/rbac';
import type { Guesses } from '../guesses/guesses';
import { letters, passwordLink } from '../mails/letters';
import type { AccountStore } from '../passwords/account.store';
import type { Purpose } from '../passwords/action-token.store';
import type { RegistrationStore } from '../registration/registration.store';

export interface RecoveryParts {
  readonly calls: Calls;
  readonly accounts: AccountStore;
  readonly registrations: RegistrationStore;
  readonly guesses: Guesses;
  readonly post: Post;
  readonly publicUrl: string;
}

const RECOVERED = 'Si la cuenta existe y está activa, enviamos un correo con las instrucciones.';
const RESENT = 'Si hay una cuenta por confirmar con esa dirección, enviamos de nuevo la invitación.';

/** Letters to people who cannot come in. Whether there is such a person is looked up after the answer. */
export class RecoveryService {
  constructor(private readonly parts: RecoveryParts) {}

  @Handles(recoverPassword)
  async recover(_scope: Anonymous, { email, address }: RecoveryFrom): Promise<Said> {
    await this.parts.guesses.visit(address);
    this.parts.post.later(() => this.mail(email, 'RECUPERACION'));
    return { message: RECOVERED };
  }

  @Handles(resendInvitation)
  async resend(_scope: Anonymous, { email, address }: RecoveryFrom): Promise<Said> {
    await this.parts.guesses.visit(address);
    this.parts.post.later(async () => (await this.registered(email)) ?? this.mail(email, 'INVITACION'));
    return { message: RESENT };
  }

  private async mail(email: string, purpose: Purpose): Promise<Mail | undefined> {
    const { accounts, guesses, calls } = this.parts;
    const account = await accounts.find(email);
    const expected = purpose === 'RECUPERACION' ? 'ACTIVO' : 'PENDIENTE';
    if (account?.state !== expected || !(await guesses.mayMail(account.email))) return undefined;
    const scope = new WorkScope(account.groupId, 'auth', purpose.toLowerCase());
    const { link } = await calls.send(issuePasswordLink, scope, { userId: account.userId, purpose });
    const letter = purpose === 'RECUPERACION' ? letters.recovery : letters.invitation;
    return letter(account.email, account.name, link);
  }

  private async registered(email: string): Promise<Mail | undefined> {
    const { registrations, guesses, publicUrl } = this.parts;
    const again = await registrations.again(email);
    if (again === undefined || !(await guesses.mayMail(email))) return undefined;
    return letters.invitation(email.toLowerCase(), again.name, passwordLink(publicUrl, again.token));
  }
}
