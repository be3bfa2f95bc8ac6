import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  type AreaLinks,
  countAreaLinks,
  deleteLocation,
  type LocationDeleted,
  type LocationEffect,
  previewLocationDeletion,
  type RootReference,
} from '@acervo/contracts';
import { Calls, Handles, type WriteContext } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import { WorkSignals, Tasks } from '@acervo/platform-queue';
import { type Scope, type Visibility, visibilityOf } from '@acervo/rbac';
import { REMOVE } from '../kernel/stages';
import { LocationStore } from '../locations/location.store';
import { codesBelow, countAffected, markDeleted } from './removal';

/** Deletes roots with everything below them, and previews the effect. */
@Injectable()
export class LocationDeletionHandlers {
  constructor(
    private readonly database: Database,
    private readonly calls: Calls,
    private readonly locations: LocationStore,
    private readonly tasks: Tasks,
    private readonly workSignals: WorkSignals,
  ) {}

  @Handles(deleteLocation)
  async delete(scope: Scope, { locationCode }: RootReference, context: WriteContext): Promise<LocationDeleted> {
    const { locations, tasks, workSignals } = this;
    const visibility = visibilityOf(scope);
    const { areas } = await this.linksOf(scope, await this.codesOfVisible(visibility, locationCode));
    const effect = await context.write(async (tx) => {
      await locations.visibleRootIn(tx, visibility, locationCode, 'for update of l');
      const counted = await countAffected(tx, locationCode);
      await markDeleted(tx, locationCode);
      await tasks.enqueue(tx, {
        subjectId: randomUUID(),
        stage: REMOVE.name,
        generation: 1,
        payload: { root: locationCode },
      });
      return counted;
    });
    await workSignals.notify(scope.groupId, REMOVE.name);
    return { ...effect, areas, deleted: true };
  }

  @Handles(previewLocationDeletion)
  async previewDeletion(scope: Scope, { locationCode }: RootReference): Promise<LocationEffect> {
    const visibility = visibilityOf(scope);
    const { effect, locationCodes } = await this.database.read(visibility, async (tx) => {
      await this.locations.visibleRootIn(tx, visibility, locationCode);
      return { effect: await countAffected(tx, locationCode), locationCodes: await codesBelow(tx, locationCode) };
    });
    return { ...effect, ...(await this.linksOf(scope, locationCodes)) };
  }

  /** The folders of a root, whose links to areas are counted. @throws NotFound */
  private codesOfVisible(visibility: Visibility, code: string): Promise<string[]> {
    return this.database.read(visibility, async (tx) => {
      await this.locations.visibleRootIn(tx, visibility, code);
      return codesBelow(tx, code);
    });
  }

  private linksOf(scope: Scope, locationCodes: readonly string[]): Promise<AreaLinks> {
    return this.calls.send(countAreaLinks, scope, { locationCodes });
  }
}
