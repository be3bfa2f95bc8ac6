import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module';
import { AttemptsModule } from '../attempts/attempts.module';
import { MailsModule } from '../mails/mails.module';
import { RegistrationController } from './registration.controller';
import { RegistrationHandlers } from './registration.handlers';

/** People who register by themselves. */
@Module({
  imports: [AttemptsModule, MailsModule, AccountsModule],
  controllers: [RegistrationController],
  providers: [RegistrationHandlers],
})
export class RegistrationModule {}
