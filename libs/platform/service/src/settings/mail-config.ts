import { Setting } from '@acervo/platform-config';

/** How mail is sent. */
export class MailConfig {
  @Setting({
    env: 'ACERVO_SMTP_URL',
    default: null,
    secret: true,
    description:
      'Mail server, smtp:// or smtps:// with user and password; smtp:// demands STARTTLS, except on this machine or with ?requireTLS=false; without it mails are stored as files',
  })
  readonly smtpUrl!: string | null;
  @Setting({ env: 'ACERVO_MAIL_FROM', default: 'Acervo <acervo@localhost>', description: 'Sender of mails' })
  readonly mailFrom!: string;
  @Setting({
    env: 'ACERVO_MAIL_DIRECTORY',
    default: 'mail',
    description: 'Where mails are stored without a mail server',
  })
  readonly mailDirectory!: string;
}
