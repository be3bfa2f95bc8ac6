import { Module } from '@nestjs/common';
import { AttemptsModule } from '../attempts/attempts.module';
import { PeppersModule } from '../keys/peppers.module';
import { MailsModule } from '../mails/mails.module';
import { AccountsModule } from '../passwords/accounts.module';
import { RegistrationController } from './registration.controller';
import { RegistrationService } from './registration.service';
import { RegistrationStore } from './registration.store';

/** People who register by themselves. */
@Module({
  imports: [PeppersModule, AccountsModule, AttemptsModule, MailsModule],
  controllers: [RegistrationController],
  providers: [RegistrationService, RegistrationStore],
  exports: [RegistrationStore],
})
export class RegistrationModule {}
