import { Setting } from '@acervo/platform-config';
import { defineService, ServiceConfig } from '@acervo/platform-service';
import { Peppers } from './keys/key-hash';
import { KeyStore } from './keys/key.store';
import { authMigrations, authSharedTables } from './migrations';
import { ProvisioningService } from './provisioning/provisioning.service';
import { ProvisioningStore } from './provisioning/provisioning.store';
import { CredentialStore } from './verification/credential.store';
import { VerificationService } from './verification/verification.service';

export class AuthConfig extends ServiceConfig {
  @Setting({
    env: 'ACERVO_KEY_PEPPER',
    default: '',
    secret: true,
    description: 'Server key that API keys are hashed with, at least 16 characters; several as 1:old,2:new',
  })
  readonly keyPepper!: string;
}

/** Who somebody is and what they may do. */
export const authService = defineService({
  name: 'auth',
  config: AuthConfig,
  migrations: authMigrations,
  sharedTables: authSharedTables,
  compose: ({ config, engines: { database }, scopeMint: mint, scopeVerifier: verifier }) => {
    const peppers = new Peppers(config.keyPepper);
    return {
      providers: [
        new VerificationService({ database, credentials: new CredentialStore(), peppers, mint, verifier }),
        new ProvisioningService(database, new ProvisioningStore(), new KeyStore(peppers)),
      ],
    };
  },
});
