import { Module } from '@nestjs/common';
import { AttemptsModule } from '../attempts/attempts.module';
import { MailsModule } from '../mails/mails.module';
import { RecoveryService } from './recovery.service';

/** Mail to people who lost their password or their invitation. */
@Module({
  imports: [AttemptsModule, MailsModule],
  providers: [RecoveryService],
})
export class RecoveryModule {}
