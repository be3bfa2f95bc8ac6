import { Module } from '@nestjs/common';
import { OrganisationModule } from '../organisation/organisation.module';
import { DirectoryModule } from '../users/directory.module';
import { UserStoresModule } from '../users/user-stores.module';
import { UserEntitiesHandlers } from './user-entities.handlers';
import { UserEntityStore } from './user-entity.store';

/** Entities of users. */
@Module({
  imports: [DirectoryModule, UserStoresModule, OrganisationModule],
  providers: [UserEntitiesHandlers, UserEntityStore],
  exports: [UserEntityStore],
})
export class EntitiesModule {}
