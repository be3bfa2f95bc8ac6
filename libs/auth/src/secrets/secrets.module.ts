import { Module } from '@nestjs/common';
import { Database } from '@acervo/platform-database';
import { AuthConfig } from '../auth-config';
import { KeyFigures } from './key-figures';
import { PepperFigures } from './pepper-figures';
import { Peppers } from './peppers';
import { Seal } from './seal';
import { SigningKeys } from './signing-keys';

/** The server keys that secrets are hashed and sealed with, and the keys that sign access tokens. */
@Module({
  providers: [
    {
      provide: Peppers,
      inject: [AuthConfig],
      useFactory: ({ keyPepper, keyPepperCurrent }: AuthConfig) => new Peppers(keyPepper, keyPepperCurrent),
    },
    {
      provide: SigningKeys,
      inject: [Database, Peppers],
      useFactory: (database: Database, peppers: Peppers) => new SigningKeys(database, new Seal(peppers, 'signing-key')),
    },
    PepperFigures,
    KeyFigures,
  ],
  exports: [Peppers, SigningKeys],
})
export class SecretsModule {}
