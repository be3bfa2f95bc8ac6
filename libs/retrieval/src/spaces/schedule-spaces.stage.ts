import { Injectable } from '@nestjs/common';
import { revive } from '@acervo/contracts';
import { BackgroundDatabase } from '@acervo/platform-database';
import { assertNotInterrupted, type Lease, LeaseKeeper, RunsStage, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { BackgroundGathering } from './background-gathering';
import { DueSpacesStore } from './due-spaces.store';
import { RefreshParameter } from './refresh-parameter';
import { planSchedule, RefreshRound, SCHEDULE_SPACES_STAGE } from '../space-members/stages';

/** Longest time of one look before other groups have theirs. */
const LOOK_MS = 500;
/** Time between two looks while a round goes on. */
const AGAIN_MS = 5_000;

/** One look: what it works under. */
interface Look {
  readonly scope: WorkScope;
  readonly hours: number;
  readonly after: number;
  readonly stopping: AbortSignal;
  readonly alive: () => Promise<void>;
}

/** How a look ended. */
interface Looked {
  /** The space that the next look continues behind; undefined where the round is over. */
  readonly after: number | undefined;
  /** Of spaces that could not be gathered. */
  readonly errors: readonly unknown[];
}

const NOTHING_DUE: Looked = { after: undefined, errors: [] };

/**
 * Refreshes the spaces of a group in rounds. A round follows time alone, so that the time of a refresh reveals no hidden
 * document. Its task is leased, so that one process works it; a killed one leaves the other spaces to the next look.
 */
@Injectable()
export class ScheduleSpacesStage {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly spaces: DueSpacesStore,
    private readonly background: BackgroundGathering,
    private readonly parameter: RefreshParameter,
  ) {}

  @RunsStage(SCHEDULE_SPACES_STAGE)
  async work(scope: WorkScope, leases: readonly Lease[], stopping: AbortSignal): Promise<void> {
    for (const lease of leases) {
      const keeper = new LeaseKeeper(this.tasks, [lease], SCHEDULE_SPACES_STAGE.leaseSeconds);
      const { after } = revive(RefreshRound, lease.payload);
      const hours = await this.parameter.hours(scope);
      const look: Look = { scope, hours, after, stopping, alive: () => keeper.keep(lease) };
      const looked = hours === 0 ? NOTHING_DUE : await this.refreshDue(look);
      await this.end(scope, lease, looked.after);
      // Behind the end: the error is reported, and costs the schedule no try.
      if (looked.errors.length > 0) throw looked.errors[0];
    }
  }

  /**
   * Refreshes what is due, one space after the other. A space whose refresh always fails delays the others, and stops
   * none of them.
   */
  private async refreshDue({ scope, hours, after, stopping, alive }: Look): Promise<Looked> {
    const { database, spaces, background } = this;
    // A task gathers one space at a time, and composed spaces are read from complete operands.
    if (await database.read(scope, (tx) => spaces.isAnyGathered(tx))) return { after, errors: [] };
    const until = performance.now() + LOOK_MS;
    const errors: unknown[] = [];
    let last = after;
    for (const spaceId of await database.read(scope, (tx) => spaces.due(tx, hours, after))) {
      assertNotInterrupted(stopping);
      if (performance.now() > until) return { after: last, errors };
      const awaited = await background.gather(scope, spaceId).catch((error: unknown) => void errors.push(error));
      if (awaited !== undefined) return { after: spaceId, errors };
      last = spaceId;
      await alive();
    }
    return { after: undefined, errors };
  }

  /** Ends a look in one transaction. A group without spaces is looked at again once it gets one. */
  private end(scope: WorkScope, lease: Lease, after: number | undefined): Promise<void> {
    const { database, tasks, spaces } = this;
    return database.write(scope, async (tx) => {
      // Before the spaces are read: a first space that is created meanwhile waits for this row, and plans it again.
      await tasks.completeAndDelete(tx, lease);
      if (!(await spaces.isAnyLeft(tx))) return;
      await planSchedule(tasks, tx, after === undefined ? undefined : { after, delayMs: AGAIN_MS });
    });
  }
}
