import { Module } from '@nestjs/common';
import { AttemptsModule } from '../attempts/attempts.module';
import { MailsModule } from '../mails/mails.module';
import { AccountsModule } from '../passwords/accounts.module';
import { RegistrationModule } from '../registration/registration.module';
import { RecoveryService } from './recovery.service';

/** Mail to people who lost their password or their invitation. */
@Module({
  imports: [AccountsModule, RegistrationModule, AttemptsModule, MailsModule],
  providers: [RecoveryService],
})
export class RecoveryModule {}
