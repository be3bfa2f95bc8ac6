import { Module } from '@nestjs/common';
import { AttemptsModule } from '../attempts/attempts.module';
import { MailsModule } from '../mails/mails.module';
import { RecoveryHandlers } from './recovery.handlers';

/** Mail to people who lost their password or their invitation. */
@Module({
  imports: [AttemptsModule, MailsModule],
  providers: [RecoveryHandlers],
})
export class RecoveryModule {}
