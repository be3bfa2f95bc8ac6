import { Injectable } from '@nestjs/common';
import { BackgroundDatabase, SliceSize, type Transaction } from '@acervo/platform-database';
import { Failpoints } from '@acervo/platform-messaging';
import { assertNotInterrupted, type Lease, LeaseKeeper, LeaseLost, RunsStage, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { Gathering, type Reading } from '../space-members/gathering';
import { BY_KEY, MemberStore } from '../space-members/member.store';
import { type LockedSpace, SpaceStore } from '../space-members/space.store';
import { REFRESH_SPACE_STAGE, spaceIdOf } from '../space-members/stages';

/** Candidates of one transaction. */
const SLICES = { least: 250, most: 2_000, wanted: 125 } as const;

/** One run of a task: what it works under. */
interface Run {
  readonly scope: WorkScope;
  readonly lease: Lease;
  readonly stopping: AbortSignal;
  readonly keeper: LeaseKeeper;
}

/**
 * Writes a version of a space in slices, and lets the space be read at it once it is complete. Until then the version
 * before is read. An interrupted run leaves rows of its version; the next one deletes them and begins again.
 */
@Injectable()
export class RefreshSpaceStage {
  private readonly size: SliceSize;

  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly spaces: SpaceStore,
    private readonly members: MemberStore,
    private readonly gathering: Gathering,
    private readonly failpoints: Failpoints,
  ) {
    this.size = new SliceSize(database, SLICES);
  }

  @RunsStage(REFRESH_SPACE_STAGE)
  async refresh(scope: WorkScope, leases: readonly Lease[], stopping: AbortSignal): Promise<void> {
    for (const lease of leases) {
      const keeper = new LeaseKeeper(this.tasks, [lease], REFRESH_SPACE_STAGE.leaseSeconds);
      while (!(await this.run({ scope, lease, stopping, keeper })));
    }
  }

  /** Whether the task is over; otherwise what it read has changed. */
  private async run(run: Run): Promise<boolean> {
    const { scope, lease } = run;
    // Before a task that cannot be worked is deleted: a later refresh writes the same version.
    await this.inSlices(run, (tx, most) => this.members.clear(tx, this.versionOf(lease), most));
    const reading = await this.database.write(scope, (tx) => this.begin(tx, lease));
    if (reading === undefined) return true;
    let after: string | null = null;
    await this.inSlices(run, async (tx, limit) => {
      const { last, candidates } = await this.members.writeSlice(tx, this.versionOf(lease), reading, { after, limit });
      after = last;
      return candidates;
    });
    const isOver = await this.database.write(scope, (tx) => this.end(tx, lease, reading));
    if (isOver) this.failpoints.hit('space.flipped');
    return isOver;
  }

  /** Works slices until one has no rows, or the task is obsolete. */
  private async inSlices(
    { scope, lease, stopping, keeper }: Run,
    slice: (tx: Transaction, most: number) => Promise<number>,
  ): Promise<void> {
    for (let rows = 1; rows > 0; await keeper.keep(lease)) {
      assertNotInterrupted(stopping);
      const started = performance.now();
      rows = await this.database.write(
        scope,
        async (tx) => ((await this.lockRequested(tx, lease)) === undefined ? 0 : slice(tx, this.size.now)),
        BY_KEY,
      );
      const took = performance.now() - started;
      this.size.took(rows, took);
      this.failpoints.hit('space.middle');
      await this.size.rest(took);
    }
  }

  /** What the version is written from. Ends a task that is obsolete, or whose space can no longer be refreshed. */
  private async begin(tx: Transaction, lease: Lease): Promise<Reading | undefined> {
    const space = await this.lockRequested(tx, lease);
    const reading = space && (await this.gathering.read(tx, space));
    if (reading !== undefined) return reading;
    if (space !== undefined) await this.spaces.request(tx, space.spaceId, space.version);
    await this.tasks.completeAndDelete(tx, lease);
    return undefined;
  }

  /** Whether the task is over: the space is read at the new version, unless its operands changed meanwhile. */
  private async end(tx: Transaction, lease: Lease, { snapshot, operandVersions }: Reading): Promise<boolean> {
    const space = await this.lockRequested(tx, lease);
    if (space !== undefined) {
      const now = await this.gathering.read(tx, space);
      if (String(now?.operandVersions) !== String(operandVersions)) return false;
      await this.gathering.flip(tx, space, { version: lease.generation, snapshot, operandVersions });
    }
    await this.tasks.completeAndDelete(tx, lease);
    this.failpoints.hit('space.before-flip');
    return true;
  }

  /**
   * The space of a task, locked; undefined where a later refresh or a deletion made the task obsolete. The space is
   * locked before the task, in the order of the requests that enqueue it.
   * @throws LeaseLost
   */
  private async lockRequested(tx: Transaction, lease: Lease): Promise<LockedSpace | undefined> {
    const space = await this.spaces.lock(tx, spaceIdOf(lease.subjectId));
    if ((await this.tasks.lockLeases(tx, [lease])).length === 0) throw new LeaseLost();
    return space?.requested === lease.generation && space.version < lease.generation ? space : undefined;
  }

  private versionOf({ subjectId, generation }: Lease): { readonly spaceId: number; readonly version: number } {
    return { spaceId: spaceIdOf(subjectId), version: generation };
  }
}
