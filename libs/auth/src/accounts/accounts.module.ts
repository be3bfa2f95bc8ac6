import { Module } from '@nestjs/common';
import { DatabasesModule } from '../databases/databases.module';
import { AccountStore } from './account.store';
import { PasswordHasher } from './password-hasher';

/** Accounts by their addresses, and the hashes of their passwords. */
@Module({
  imports: [DatabasesModule],
  providers: [AccountStore, PasswordHasher],
  exports: [AccountStore, PasswordHasher],
})
export class AccountsModule {}
