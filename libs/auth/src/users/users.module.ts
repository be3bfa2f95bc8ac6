import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module';
import { ApplicationsModule } from '../applications/applications.module';
import { EntitiesModule } from '../entities/entities.module';
import { PasswordsModule } from '../passwords/passwords.module';
import { RolesModule } from '../roles/roles.module';
import { AssigneesHandlers } from './assignees.handlers';
import { DirectoryHandlers } from './directory.handlers';
import { OwnGroupHandlers } from './own-group.handlers';
import { SystemUserHandlers } from './system-user.handlers';
import { UserAccessHandlers } from './user-access.handlers';
import { UserAccessController } from './user-access.controller';
import { RemoteDependents } from './remote-dependents';
import { StalledDeletions } from './stalled-deletions';
import { UserCreationHandlers } from './user-creation.handlers';
import { UserDeletionConsumer } from './user-deletion.consumer';
import { UserDeletionHandlers } from './user-deletion.handlers';
import { UserDeletionStore } from './user-deletion.store';
import { UsersHandlers } from './users.handlers';
import { UsersController } from './users.controller';

/** Users: their accounts, their roles, their group. */
@Module({
  imports: [AccountsModule, ApplicationsModule, RolesModule, EntitiesModule, PasswordsModule],
  controllers: [UsersController, UserAccessController],
  providers: [
    UsersHandlers,
    UserCreationHandlers,
    OwnGroupHandlers,
    UserAccessHandlers,
    AssigneesHandlers,
    DirectoryHandlers,
    SystemUserHandlers,
    UserDeletionHandlers,
    UserDeletionConsumer,
    UserDeletionStore,
    RemoteDependents,
    StalledDeletions,
  ],
})
export class UsersModule {}
