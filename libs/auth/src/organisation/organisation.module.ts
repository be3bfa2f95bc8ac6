import { Module } from '@nestjs/common';
import { Cursors } from '@acervo/platform-calls';
import { Peppers } from '../secrets/peppers';
import { FocusModule } from '../focus/focus.module';
import { SecretsModule } from '../secrets/secrets.module';
import { AreaLocationStore } from './area-location.store';
import { AreaLocationsHandlers } from './area-locations.handlers';
import { AreaStore } from './area.store';
import { AreasHandlers } from './areas.handlers';
import { DeletedFoldersConsumer } from './deleted-folders.consumer';
import { EntitiesHandlers } from './entities.handlers';
import { EntitySpaces } from './entity-spaces';
import { EntityStore } from './entity.store';
import { Folders } from './folders';
import { GroupHandlers } from './group.handlers';
import { ProfileHandlers } from './profile.handlers';
import { ProfileStore } from './profile.store';
import { VisibleAreasHandlers } from './visible-areas.handlers';

/** The group, its entities and their areas. */
@Module({
  imports: [FocusModule, SecretsModule],
  providers: [
    EntitiesHandlers,
    AreasHandlers,
    AreaLocationsHandlers,
    VisibleAreasHandlers,
    GroupHandlers,
    ProfileHandlers,
    EntityStore,
    AreaStore,
    AreaLocationStore,
    ProfileStore,
    Folders,
    EntitySpaces,
    DeletedFoldersConsumer,
    { provide: Cursors, inject: [Peppers], useFactory: (peppers: Peppers) => new Cursors(peppers) },
  ],
  exports: [AreaStore],
})
export class OrganisationModule {}
