import { Injectable } from '@nestjs/common';
import { BackgroundDatabase, SliceSize } from '@acervo/platform-database';
import { Failpoints } from '@acervo/platform-messaging';
import { assertNotInterrupted, type Lease, LeaseKeeper, RunsStage, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { BY_KEY, MemberStore } from '../space-members/member.store';
import { PURGE_SPACE_STAGE, spaceIdOf } from '../space-members/stages';

/** Members of one transaction. */
const SLICES = { least: 250, most: 2_000, wanted: 125 } as const;

/** Deletes the members of versions that are no longer read, and of spaces that were deleted. */
@Injectable()
export class PurgeSpaceStage {
  private readonly size: SliceSize;

  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly members: MemberStore,
    private readonly failpoints: Failpoints,
  ) {
    this.size = new SliceSize(database, SLICES);
  }

  @RunsStage(PURGE_SPACE_STAGE)
  async purge(scope: WorkScope, leases: readonly Lease[], stopping: AbortSignal): Promise<void> {
    const keeper = new LeaseKeeper(this.tasks, leases, PURGE_SPACE_STAGE.leaseSeconds);
    for (const lease of leases) {
      while ((await this.slice(scope, spaceIdOf(lease.subjectId))) > 0) {
        assertNotInterrupted(stopping);
        await keeper.keep(lease);
      }
      await this.database.write(scope, (tx) => this.tasks.completeAndDelete(tx, lease));
    }
  }

  private async slice(scope: WorkScope, spaceId: number): Promise<number> {
    const started = performance.now();
    const rows = await this.database.write(scope, (tx) => this.members.purge(tx, spaceId, this.size.now), BY_KEY);
    const took = performance.now() - started;
    this.size.took(rows, took);
    this.failpoints.hit('space.purge');
    await this.size.rest(took);
    return rows;
  }
}
