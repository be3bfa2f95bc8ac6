import { CurrentVersion, Setting } from '@acervo/platform-config';

/** Settings of auth besides those of its engines. */
export class AuthConfig {
  @Setting({
    env: 'ACERVO_KEY_PEPPER',
    default: '',
    secret: true,
    description:
      'Server key that secrets are hashed and sealed with, at least 16 characters; several as 1:old,2:new, old ones kept for as long as what they sealed',
  })
  readonly keyPepper!: string;
  @CurrentVersion('ACERVO_KEY_PEPPER')
  readonly keyPepperCurrent!: number | null;
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
    env: 'ACERVO_REGISTRATION',
    default: true,
    description: 'Whether strangers may register; false closes registration, and users are created by administrators',
  })
  readonly registration!: boolean;
  @Setting({
    env: 'ACERVO_SIGNING_KEY_DAYS',
    default: 30,
    min: 1,
    max: 365,
    description: 'Days after which access tokens are signed with another key',
  })
  readonly signingKeyDays!: number;
}
