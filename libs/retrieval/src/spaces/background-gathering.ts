import { Injectable } from '@nestjs/common';
import { BackgroundDatabase, type TenantScope } from '@acervo/platform-database';
import { WorkSignals } from '@acervo/platform-queue';
import { Gathering } from '../space-members/gathering';
import { SpaceStore } from '../space-members/space.store';
import { REFRESH_SPACE_STAGE } from '../space-members/stages';

/** Gathers spaces again on behalf of no caller. The query of a space is not searched again. */
@Injectable()
export class BackgroundGathering {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly spaces: SpaceStore,
    private readonly gathering: Gathering,
    private readonly workSignals: WorkSignals,
  ) {}

  /** Returns the version that a task writes, where there are too many documents for one transaction. */
  async gather(scope: TenantScope, spaceId: number): Promise<number | undefined> {
    const awaited = await this.database.write(scope, async (tx) => {
      const space = await this.spaces.lock(tx, spaceId);
      return space === undefined ? undefined : this.gathering.gather(tx, space);
    });
    if (awaited !== undefined) await this.workSignals.notify(scope.groupId, REFRESH_SPACE_STAGE.name);
    return awaited;
  }
}
