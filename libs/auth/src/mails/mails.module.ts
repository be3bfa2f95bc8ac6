import { Module } from '@nestjs/common';
import { AttemptsModule } from '../attempts/attempts.module';
import { AccountsModule } from '../accounts/accounts.module';
import { MailOutbox } from './mail-outbox';
import { MailOutboxStore } from './mail-outbox.store';
import { MailSender } from './mail-sender';
import { MailWriter } from './mail-writer';
import { PasswordLinksModule } from './password-links.module';

/** Mails to people, stored until they are sent. */
@Module({
  imports: [AttemptsModule, AccountsModule, PasswordLinksModule],
  providers: [MailOutbox, MailOutboxStore, MailSender, MailWriter],
  exports: [MailOutbox, PasswordLinksModule],
})
export class MailsModule {}
