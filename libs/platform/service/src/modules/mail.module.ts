import { type BeforeApplicationShutdown, Module } from '@nestjs/common';
import { FileMailer, Mailer, MailQueue, SmtpMailer } from '@acervo/platform-mail';
import { Logger } from '@acervo/platform-observability';
import { MailConfig } from '../mail-config';
import { ObservabilityModule } from './observability.module';

/** Mail: by SMTP, or as files on a machine without a mail server. */
@Module({
  imports: [ObservabilityModule],
  providers: [
    {
      provide: Mailer,
      inject: [MailConfig, Logger],
      useFactory: ({ smtpUrl, mailFrom, mailDirectory }: MailConfig, logger: Logger) =>
        smtpUrl === null ? new FileMailer(mailDirectory, logger) : new SmtpMailer(smtpUrl, mailFrom),
    },
    {
      provide: MailQueue,
      inject: [Mailer, Logger],
      useFactory: (mailer: Mailer, logger: Logger) => new MailQueue(mailer, logger),
    },
  ],
  exports: [Mailer, MailQueue],
})
export class MailModule implements BeforeApplicationShutdown {
  constructor(private readonly post: MailQueue) {}

  /** Runs before the pools close: mails in progress still read from the database. */
  beforeApplicationShutdown(): Promise<void> {
    return this.post.close();
  }
}
