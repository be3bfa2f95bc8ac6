import { Module } from '@nestjs/common';
import { spacesTransfer } from '@acervo/contracts';
import { transferHandlers } from '@acervo/platform-service';
import { SpaceMembersModule } from '../../space-members/space-members.module';
import { FirstGatheringHandlers } from './first-gathering.handlers';
import { SnapshotExpiry } from './snapshot-expiry.stage';
import { SpaceTransfer } from './space-transfer';
import { UngatheredSpaceStore } from './ungathered-space.store';

/** Spaces, transferred to another installation and gathered there. */
@Module({
  imports: [SpaceMembersModule],
  providers: [
    FirstGatheringHandlers,
    SnapshotExpiry,
    SpaceTransfer,
    transferHandlers(spacesTransfer, SpaceTransfer),
    UngatheredSpaceStore,
  ],
})
export class SpaceTransferModule {}
