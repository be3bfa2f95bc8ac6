import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { FileMailer, Mailer } from '@acervo/platform-mail';
import { Logger } from '@acervo/platform-observability';
import { MailConfig } from '../settings/mail-config';
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
  providers: [{ provide: Mailer, inject: [MailConfig, Logger], useFactory: openMailer }],
  exports: [Mailer],
})
export class MailModule implements OnApplicationShutdown {
  constructor(private readonly mailer: Mailer) {}

  /** Runs after the mail in progress is sent. */
  onApplicationShutdown(): void {
    this.mailer.close();
  }
}
