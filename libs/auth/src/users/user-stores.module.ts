import { Module } from '@nestjs/common';
import { DirectoryModule } from './directory.module';
import { UserRoleStore } from '../accounts/user-role.store';
import { UserStore } from '../accounts/user.store';

/** The tables of users and of their roles. */
@Module({ imports: [DirectoryModule], providers: [UserStore, UserRoleStore], exports: [UserStore, UserRoleStore] })
export class UserStoresModule {}
