import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module';
import { OrganisationModule } from '../organisation/organisation.module';
import { UserEntitiesHandlers } from './user-entities.handlers';
import { UserEntityStore } from './user-entity.store';

/** Entities of users. */
@Module({
  imports: [AccountsModule, OrganisationModule],
  providers: [UserEntitiesHandlers, UserEntityStore],
  exports: [UserEntityStore],
})
export class EntitiesModule {}
