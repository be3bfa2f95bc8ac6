import { Injectable } from '@nestjs/common';
import {
  NotFound,
  registerPublicly,
  registerRetired,
  type ClientRegistrationRequest,
  type RegistrationName,
  type Confirmation,
  seedRegistration,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import type { Anonymous } from '@acervo/rbac';
import { AuthConfig } from '../auth-config';
import { AttemptLimiter } from '../attempts/attempt-limiter';
import { MailOutbox } from '../mails/mail-outbox';
import { RegistrationClosed } from '../kernel/auth.errors';
import { RegistrationStore } from '../accounts/registration.store';

const REGISTERED = 'Si la dirección puede registrarse, enviamos un correo para confirmarla.';

/** Registration: people create an account, and a group with it, by themselves. */
@Injectable()
export class RegistrationHandlers {
  constructor(
    private readonly registrations: RegistrationStore,
    private readonly attemptLimiter: AttemptLimiter,
    private readonly mailOutbox: MailOutbox,
    private readonly config: AuthConfig,
  ) {}

  @Handles(registerPublicly)
  async register(_scope: Anonymous, input: ClientRegistrationRequest): Promise<Confirmation> {
    const { address, email, name, groupName } = input;
    await this.attemptLimiter.visit(address);
    if (!this.config.registration) throw new RegistrationClosed();
    await this.mailOutbox.request({ kind: 'REGISTRO', email, name, groupName });
    return { message: REGISTERED };
  }

  @Handles(registerRetired)
  async registerRetired(_scope: Anonymous, { address }: ClientRegistrationRequest): Promise<Confirmation> {
    await this.attemptLimiter.visit(address);
    return { message: REGISTERED };
  }

  @Handles(seedRegistration)
  async seed(_scope: Anonymous, { email }: RegistrationName, context: WriteContext): Promise<Confirmation> {
    const { registrations } = this;
    const registration = await registrations.confirmed(email);
    if (registration === undefined) throw new NotFound();
    await context.writeIn(registration, (tx) => registrations.seed(tx, registration));
    return { message: 'Cuenta creada.' };
  }
}
