import { Module } from '@nestjs/common';
import { Database } from '@acervo/platform-database';
import { Peppers } from '../secrets/peppers';
import { PeppersModule } from '../secrets/secrets.module';
import { AccessTokenStrategy } from './access-token.strategy';
import { AccessTokens } from './access-tokens';
import { ApplicationPassport } from './application-passport';
import { JwksController } from './jwks.controller';
import { KeyFigures } from '../secrets/key-figures';
import { Seal } from '../secrets/seal';
import { SigningKeys } from '../secrets/signing-keys';

/** Access tokens: issued, verified by their strategy, signed with keys that rotate. */
@Module({
  imports: [PeppersModule],
  controllers: [JwksController],
  providers: [
    {
      provide: SigningKeys,
      inject: [Database, Peppers],
      useFactory: (database: Database, peppers: Peppers) => new SigningKeys(database, new Seal(peppers, 'signing-key')),
    },
    ApplicationPassport,
    KeyFigures,
    AccessTokenStrategy,
    AccessTokens,
  ],
  exports: [AccessTokens, SigningKeys],
})
export class TokensModule {}
