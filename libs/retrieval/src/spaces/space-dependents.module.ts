import { Module } from '@nestjs/common';
import { DependentSpacesStore } from './dependent-spaces.store';
import { EntitySpacesHandlers } from './entity-spaces.handlers';
import { NamedCodesHandlers } from './named-codes.handlers';
import { UserSpacesConsumer } from './user-spaces.consumer';
import { UserSpacesHandlers } from './user-spaces.handlers';
import { UserSpacesStore } from './user-spaces.store';

/** What depends on users, entities and document types, and what follows when these are deleted. */
@Module({
  providers: [
    DependentSpacesStore,
    EntitySpacesHandlers,
    NamedCodesHandlers,
    UserSpacesConsumer,
    UserSpacesHandlers,
    UserSpacesStore,
  ],
})
export class SpaceDependentsModule {}
