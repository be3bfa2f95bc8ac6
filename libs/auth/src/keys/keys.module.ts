import { Module } from '@nestjs/common';
import { AttemptsModule } from '../attempts/attempts.module';
import { ApiKeyStore } from './api-key.store';
import { ApiKeysController } from './api-keys.controller';
import { ApiKeysHandlers } from './api-keys.handlers';
import { KeyStore } from './key.store';
import { SecretsModule } from '../secrets/secrets.module';

/** API keys of people and programs. */
@Module({
  imports: [SecretsModule, AttemptsModule],
  controllers: [ApiKeysController],
  providers: [ApiKeysHandlers, ApiKeyStore, KeyStore],
  exports: [KeyStore],
})
export class KeysModule {}
