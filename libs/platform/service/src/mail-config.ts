import { Setting } from '@acervo/platform-config';

/** How mail is sent. */
export class MailConfig {
  @Setting({
    env: 'ACERVO_SMTP_URL',
    default: null,
    secret: true,
    description: 'Mail server, smtp:// or smtps:// with user and password; without it letters are kept as files',
  })
  readonly smtpUrl!: string | null;
  @Setting({ env: 'ACERVO_MAIL_FROM', default: 'Acervo <acervo@localhost>', description: 'Sender of letters' })
  readonly mailFrom!: string;
  @Setting({
    env: 'ACERVO_MAIL_DIRECTORY',
    default: 'mail',
    description: 'Where letters are kept without a mail server',
  })
  readonly mailDirectory!: string;
}
