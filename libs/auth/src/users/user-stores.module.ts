import { Module } from '@nestjs/common';
import { UserRoleStore } from './user-role.store';
import { UserStore } from './user.store';

/** The tables of users and of their roles. */
@Module({ providers: [UserStore, UserRoleStore], exports: [UserStore, UserRoleStore] })
export class UserStoresModule {}
