import { Module } from '@nestjs/common';
import { SecretsModule } from '../secrets/secrets.module';
import { AccessTokenStrategy } from './access-token.strategy';
import { AccessTokens } from './access-tokens';
import { ApplicationPassport } from './application-passport';
import { JwksController } from './jwks.controller';
import { ProtectedResourceController } from './protected-resource.controller';

/** Access tokens: issued, and verified by their strategy. */
@Module({
  imports: [SecretsModule],
  controllers: [JwksController, ProtectedResourceController],
  providers: [ApplicationPassport, AccessTokenStrategy, AccessTokens],
  exports: [AccessTokens],
})
export class TokensModule {}
