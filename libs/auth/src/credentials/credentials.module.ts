import { Module } from '@nestjs/common';
import { CredentialStore } from './credential.store';
import { Holders } from './holders';
import { SessionStore } from './session.store';

/** Keys and sessions as rows, and their current holders. */
@Module({
  providers: [CredentialStore, Holders, SessionStore],
  exports: [CredentialStore, Holders, SessionStore],
})
export class CredentialsModule {}
