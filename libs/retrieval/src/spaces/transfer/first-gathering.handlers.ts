import { Injectable } from '@nestjs/common';
import {
  type Empty,
  gatherImportedSpace,
  listUngatheredSpaces,
  type SpaceReference,
  type UngatheredSpaces,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import { WorkSignals } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { Gathering } from '../../space-members/gathering';
import { SpaceStore } from '../../space-members/space.store';
import { REFRESH_SPACE_STAGE } from '../../space-members/stages';
import { UngatheredSpaceStore } from './ungathered-space.store';

const MOST_AT_ONCE = 100;

/** Gathers imported spaces once the documents of their group have arrived. */
@Injectable()
export class FirstGatheringHandlers {
  constructor(
    private readonly database: Database,
    private readonly spaces: SpaceStore,
    private readonly ungathered: UngatheredSpaceStore,
    private readonly gathering: Gathering,
    private readonly workSignals: WorkSignals,
  ) {}

  @Handles(listUngatheredSpaces)
  list(scope: WorkScope, _input: Empty): Promise<UngatheredSpaces> {
    return this.database.read(scope, async (tx) => ({
      spaces: await this.ungathered.ready(tx, MOST_AT_ONCE),
      running: await this.ungathered.running(tx),
    }));
  }

  /** The query of criteria is not searched again: its documents were transferred as a list. */
  @Handles(gatherImportedSpace)
  async gather(scope: WorkScope, { spaceId }: SpaceReference, context: WriteContext): Promise<Empty> {
    const awaited = await context.write(async (tx) => {
      const space = await this.spaces.lock(tx, spaceId);
      // A user may have refreshed or deleted it meanwhile.
      return space?.version === 0 && space.requested === 0 ? this.gathering.gather(tx, space) : undefined;
    });
    if (awaited !== undefined) await this.workSignals.notify(scope.groupId, REFRESH_SPACE_STAGE.name);
    return {};
  }
}
