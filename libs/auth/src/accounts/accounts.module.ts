import { Module } from '@nestjs/common';
import { DatabasesModule } from '../databases/databases.module';
import { SecretsModule } from '../secrets/secrets.module';
import { AccountStore } from './account.store';
import { Directory } from './directory';
import { PasswordHasher } from './password-hasher';
import { RegistrationStore } from './registration.store';
import { UserRoleStore } from './user-role.store';
import { UserStore } from './user.store';

/** The accounts of people: their rows, roles and passwords, their addresses across groups, and those that wait. */
@Module({
  imports: [DatabasesModule, SecretsModule],
  providers: [AccountStore, Directory, PasswordHasher, RegistrationStore, UserRoleStore, UserStore],
  exports: [AccountStore, Directory, PasswordHasher, RegistrationStore, UserRoleStore, UserStore],
})
export class AccountsModule {}
