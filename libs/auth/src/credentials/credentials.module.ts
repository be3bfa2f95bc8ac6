import { Module } from '@nestjs/common';
import { SessionStoreModule } from '../sessions/session-store.module';
import { CredentialStore } from './credential.store';
import { Holders } from './holders';

/** The holders of credentials. */
@Module({
  imports: [SessionStoreModule],
  providers: [CredentialStore, Holders],
  exports: [CredentialStore, Holders],
})
export class HoldersModule {}
