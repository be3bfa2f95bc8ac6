import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@acervo/platform-database';
import { WorkSignals } from '@acervo/platform-queue';
import type { Scope } from '@acervo/rbac';
import { Gathering } from './gathering';
import { seesSpace } from './space-access';
import { type AgedSpace, SpaceStore } from './space.store';
import { SpacesConfig } from './spaces.config';
import { REFRESH_SPACE_STAGE } from './stages';

/**
 * Refreshes spaces before they are read, once their last refresh is older than the setting allows. Age alone decides,
 * so that no refresh reveals a hidden document.
 */
@Injectable()
export class SpaceFreshness {
  constructor(
    private readonly config: SpacesConfig,
    private readonly database: Database,
    private readonly spaces: SpaceStore,
    private readonly gathering: Gathering,
    private readonly workSignals: WorkSignals,
  ) {}

  /**
   * Refreshes a space that the caller sees, and the spaces that it is composed of before it. What a task gathers is not
   * waited for: the reader sees the set before, and a later reading refreshes what is composed of it.
   */
  async ensure(scope: Scope, spaceId: number | undefined): Promise<void> {
    if (this.config.refreshSeconds === 0 || spaceId === undefined) return;
    for (const aged of await this.database.read(scope, (tx) => this.aged(tx, scope, spaceId)))
      if (!(await this.isRefreshed(scope, spaceId, aged))) return;
  }

  /** Whether the space is read at its new version from now on. */
  private async isRefreshed(scope: Scope, root: number, { spaceId, isRunning }: AgedSpace): Promise<boolean> {
    if (isRunning) return false;
    const awaited = await this.database.write(scope, async (tx) => {
      const space = await this.spaces.lock(tx, spaceId);
      // Another reader may have refreshed it meanwhile.
      const aged = await this.aged(tx, scope, root);
      const isStillAged = aged.some((each) => each.spaceId === spaceId && !each.isRunning);
      return space === undefined || !isStillAged ? undefined : this.gathering.gather(tx, space);
    });
    if (awaited !== undefined) await this.workSignals.notify(scope.groupId, REFRESH_SPACE_STAGE.name);
    return awaited === undefined;
  }

  private async aged(tx: Transaction, scope: Scope, spaceId: number): Promise<readonly AgedSpace[]> {
    const row = await this.spaces.find(tx, spaceId);
    return row !== undefined && seesSpace(scope, row) ? this.spaces.aged(tx, spaceId, this.config.refreshSeconds) : [];
  }
}
