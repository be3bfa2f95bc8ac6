import { Module } from '@nestjs/common';
import { AttemptsModule } from '../attempts/attempts.module';
import { MailsModule } from '../mails/mails.module';
import { RegistrationController } from './registration.controller';
import { RegistrationService } from './registration.service';
import { RegistrationStoreModule } from './registration-store.module';

/** People who register by themselves. */
@Module({
  imports: [AttemptsModule, MailsModule, RegistrationStoreModule],
  controllers: [RegistrationController],
  providers: [RegistrationService],
  exports: [RegistrationStoreModule],
})
export class RegistrationModule {}
