import { type BeforeApplicationShutdown, Module } from '@nestjs/common';
import { FileMailer, Mailer, MailQueue } from '@acervo/platform-mail';
import { Logger } from '@acervo/platform-observability';
import { MailConfig } from '../mail-config';
import { ObservabilityModule } from './observability.module';

/** Loads the SMTP library only where a mail server is configured. */
const openMailer = async ({ smtpUrl, mailFrom, mailDirectory }: MailConfig, logger: Logger): Promise<Mailer> => {
  if (smtpUrl === null) return new FileMailer(mailDirectory, logger);
  const { SmtpMailer } = await import('@acervo/platform-mail/smtp');
  return new SmtpMailer(smtpUrl, mailFrom);
};

/** Mail: by SMTP, or as files on a machine without a mail server. */
@Module({
  imports: [ObservabilityModule],
  providers: [
    { provide: Mailer, inject: [MailConfig, Logger], useFactory: openMailer },
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
