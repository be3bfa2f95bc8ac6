import { Injectable } from '@nestjs/common';
import { type ClientRecoveryRequest, recoverPassword, resendInvitation, type Confirmation } from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import type { Anonymous } from '@acervo/rbac';
import { AttemptLimiter } from '../attempts/attempt-limiter';
import { MailOutbox } from '../mails/mail-outbox';

const RECOVERED = 'Si la cuenta existe y está activa, enviamos un correo con las instrucciones.';
const RESENT = 'Si hay una cuenta por confirmar con esa dirección, enviamos de nuevo la invitación.';

/**
 * Mails links to people who cannot log in. The account is looked up after the answer, so the answer reveals nothing.
 */
@Injectable()
export class RecoveryHandlers {
  constructor(
    private readonly attemptLimiter: AttemptLimiter,
    private readonly mailOutbox: MailOutbox,
  ) {}

  @Handles(recoverPassword)
  async recover(_scope: Anonymous, { email, address }: ClientRecoveryRequest): Promise<Confirmation> {
    await this.attemptLimiter.visit(address);
    await this.mailOutbox.request({ kind: 'RECUPERACION', email });
    return { message: RECOVERED };
  }

  @Handles(resendInvitation)
  async resend(_scope: Anonymous, { email, address }: ClientRecoveryRequest): Promise<Confirmation> {
    await this.attemptLimiter.visit(address);
    await this.mailOutbox.request({ kind: 'REENVIO', email });
    return { message: RESENT };
  }
}
