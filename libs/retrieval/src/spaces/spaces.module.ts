import { Module } from '@nestjs/common';
import { CursorsModule } from '@acervo/platform-service';
import { BackgroundGathering } from './background-gathering';
import { DueSpacesStore } from './due-spaces.store';
import { SpaceMembersModule } from '../space-members/space-members.module';
import { PurgeSpaceStage } from './purge-space.stage';
import { ReaderViewStore } from './reader-view.store';
import { RefreshParameter } from './refresh-parameter';
import { RefreshSpaceStage } from './refresh-space.stage';
import { Refreshing } from './refreshing';
import { ScheduleSpacesStage } from './schedule-spaces.stage';
import { SpaceChangesHandlers } from './space-changes.handlers';
import { SpaceExistenceHandlers } from './space-existence.handlers';
import { SpaceRecords } from './space-records';
import { SpaceRefreshHandlers } from './space-refresh.handlers';
import { SpaceReadingModule } from './reading/space-reading.module';
import { SpacesHandlers } from './spaces.handlers';

/** Sets of documents: gathered by criteria or from other sets, stored, and shown as each reader sees them. */
@Module({
  imports: [CursorsModule, SpaceMembersModule, SpaceReadingModule],
  providers: [
    ReaderViewStore,
    Refreshing,
    SpaceRecords,
    BackgroundGathering,
    DueSpacesStore,
    RefreshParameter,
    RefreshSpaceStage,
    PurgeSpaceStage,
    ScheduleSpacesStage,
    SpaceChangesHandlers,
    SpaceExistenceHandlers,
    SpaceRefreshHandlers,
    SpacesHandlers,
  ],
})
export class SpacesModule {}
