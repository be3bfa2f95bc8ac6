import { Body, Controller, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  CompletedRegistrations,
  DomainError,
  PublicRegistration,
  recoverPassword,
  RecoveryRequest,
  registerPublicly,
  registerRetired,
  resendInvitation,
  Confirmation,
  seedRegistration,
  type ClientInfo,
} from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers } from '@acervo/platform-http';
import { anonymous, requirements, Requires } from '@acervo/rbac';
import { SecurityLog } from '../attempts/security-log';
import { Client } from '../kernel/client-info';
import { RegistrationStore } from '../accounts/registration.store';

@ApiTags('auth')
@ApiBearerAuth('credential')
@Controller('auth')
export class RegistrationController {
  constructor(
    private readonly calls: Calls,
    private readonly registrations: RegistrationStore,
    private readonly log: SecurityLog,
  ) {}

  @Post('registro')
  @Requires(requirements.nobody)
  @Answers(Confirmation)
  @ApiOperation({ summary: 'Register an account; a mail confirms the address and sets the password' })
  register(@Body() input: PublicRegistration, @Client() client: ClientInfo): Promise<Confirmation> {
    const event = { security: 'registration', step: 'request', account: input.email, address: client.address } as const;
    return this.log.watch(event, () => this.calls.send(registerPublicly, anonymous, { ...input, ...client }));
  }

  @Post('registrar')
  @Requires(requirements.nobody)
  @Answers(Confirmation)
  @ApiOperation({ summary: 'Retired: answers like the registration and does nothing', deprecated: true })
  registerRetired(@Body() input: PublicRegistration, @Client() client: ClientInfo): Promise<Confirmation> {
    return this.calls.send(registerRetired, anonymous, { ...input, ...client });
  }

  @Post('reenviar-invitacion')
  @Requires(requirements.nobody)
  @Answers(Confirmation)
  @ApiOperation({ summary: 'Send the invitation of an unconfirmed account again; the answer is always the same' })
  resend(@Body() input: RecoveryRequest, @Client() client: ClientInfo): Promise<Confirmation> {
    const event = { security: 'password', step: 'resend_link', account: input.email, address: client.address } as const;
    return this.log.watch(event, () => this.calls.send(resendInvitation, anonymous, { ...input, ...client }));
  }

  @Post('recuperar-clave')
  @Requires(requirements.nobody)
  @Answers(Confirmation)
  @ApiOperation({ summary: 'Send a mail to set another password; the answer is always the same' })
  recover(@Body() input: RecoveryRequest, @Client() client: ClientInfo): Promise<Confirmation> {
    const event = {
      security: 'password',
      step: 'request_link',
      account: input.email,
      address: client.address,
    } as const;
    return this.log.watch(event, () => this.calls.send(recoverPassword, anonymous, { ...input, ...client }));
  }

  @Post('completar-registros-validados')
  @Requires(requirements.system)
  @Answers(CompletedRegistrations)
  @ApiOperation({ summary: 'Create group and user of confirmed registrations that were not completed' })
  async complete(): Promise<CompletedRegistrations> {
    const emails = await this.registrations.allConfirmed();
    let failed = 0;
    for (const email of emails)
      await this.calls.send(seedRegistration, anonymous, { email }).catch((error: unknown) => {
        if (!(error instanceof DomainError)) throw error;
        failed += 1;
      });
    return { completed: emails.length - failed, failed };
  }
}
