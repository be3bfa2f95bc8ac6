import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module';
import { DatabasesModule } from '../databases/databases.module';
import { RoleChanges } from './role-changes';
import { RoleOrderHandlers } from './role-order.handlers';
import { RolePartsHandlers } from './role-parts.handlers';
import { RolePartsController } from './role-parts.controller';
import { RolePartsStore } from './role-parts.store';
import { RoleStore } from './role.store';
import { RolesHandlers } from './roles.handlers';
import { RolesController } from './roles.controller';

/** Roles of groups and of the product. */
@Module({
  imports: [DatabasesModule, AccountsModule],
  controllers: [RolesController, RolePartsController],
  providers: [RolesHandlers, RoleOrderHandlers, RolePartsHandlers, RoleChanges, RoleStore, RolePartsStore],
  exports: [RoleChanges, RoleStore, RolePartsStore],
})
export class RolesModule {}
