import { Module } from '@nestjs/common';
import { SpaceMembersModule } from '../../space-members/space-members.module';
import { FirstGatheringHandlers } from './first-gathering.handlers';
import { SnapshotExpiry } from './snapshot-expiry.stage';
import { SpaceTransfer } from './space-transfer';
import { SpaceTransferHandlers } from './space-transfer.handlers';
import { UngatheredSpaceStore } from './ungathered-space.store';

/** Spaces, transferred to another installation and gathered there. */
@Module({
  imports: [SpaceMembersModule],
  providers: [FirstGatheringHandlers, SnapshotExpiry, SpaceTransfer, SpaceTransferHandlers, UngatheredSpaceStore],
})
export class SpaceTransferModule {}
