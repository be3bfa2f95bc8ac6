import { Setting } from '@acervo/platform-config';
import { CountersConfig } from '@acervo/platform-service';

export class AuthConfig extends CountersConfig {
  @Setting({
    env: 'ACERVO_KEY_PEPPER',
    default: '',
    secret: true,
    description:
      'Server key that secrets are hashed and sealed with, at least 16 characters; several as 1:old,2:new, old ones kept for as long as what they sealed',
  })
  readonly keyPepper!: string;
  @Setting({
    env: 'ACERVO_DATABASE_DIRECTORY_PASSWORD',
    default: '',
    secret: true,
    description: 'Password of the role that finds people and groups by their codes',
  })
  readonly directoryPassword!: string;
  @Setting({
    env: 'ACERVO_DATABASE_CATALOGUE_PASSWORD',
    default: '',
    secret: true,
    description: 'Password of the role that changes global roles, functions and applications',
  })
  readonly cataloguePassword!: string;
  @Setting({
    env: 'ACERVO_TOKEN_ISSUER',
    default: 'acervo',
    description: 'Issuer that access tokens name; tokens of another issuer are refused',
  })
  readonly tokenIssuer!: string;
  @Setting({
    env: 'ACERVO_SIGNING_KEY_DAYS',
    default: 30,
    min: 1,
    max: 365,
    description: 'Days after which access tokens are signed with another key',
  })
  readonly signingKeyDays!: number;
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
