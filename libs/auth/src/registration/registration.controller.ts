import { Body, Controller, Inject, Post } from '@nestjs/common';
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
  Said,
  seedRegistration,
  type Visitor,
} from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers } from '@acervo/platform-http';
import { anonymous, requirements, Requires } from '@acervo/rbac';
import { From } from '../sessions/visitor';
import { RegistrationStore } from './registration.store';

@ApiTags('auth')
@ApiBearerAuth('credential')
@Controller('auth')
export class RegistrationController {
  constructor(
    @Inject(Calls) private readonly calls: Calls,
    @Inject(RegistrationStore) private readonly registrations: RegistrationStore,
  ) {}

  @Post('registro')
  @Requires(requirements.nobody)
  @Answers(Said)
  @ApiOperation({ summary: 'Register by oneself; a letter confirms the address and sets the password' })
  register(@Body() input: PublicRegistration, @From() visitor: Visitor): Promise<Said> {
    return this.calls.send(registerPublicly, anonymous, { ...input, ...visitor });
  }

  @Post('registrar')
  @Requires(requirements.nobody)
  @Answers(Said)
  @ApiOperation({ summary: 'Retired; answers what the other one answers and does nothing', deprecated: true })
  registerRetired(@Body() input: PublicRegistration, @From() visitor: Visitor): Promise<Said> {
    return this.calls.send(registerRetired, anonymous, { ...input, ...visitor });
  }

  @Post('reenviar-invitacion')
  @Requires(requirements.nobody)
  @Answers(Said)
  @ApiOperation({ summary: 'Send the invitation of an unconfirmed account again; the answer never tells' })
  resend(@Body() input: RecoveryRequest, @From() visitor: Visitor): Promise<Said> {
    return this.calls.send(resendInvitation, anonymous, { ...input, ...visitor });
  }

  @Post('recuperar-clave')
  @Requires(requirements.nobody)
  @Answers(Said)
  @ApiOperation({ summary: 'Send a letter to set another password; the answer never tells' })
  recover(@Body() input: RecoveryRequest, @From() visitor: Visitor): Promise<Said> {
    return this.calls.send(recoverPassword, anonymous, { ...input, ...visitor });
  }

  @Post('completar-registros-validados')
  @Requires(requirements.system)
  @Answers(CompletedRegistrations)
  @ApiOperation({ summary: 'Create group and user of confirmed registrations that were left behind' })
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
