import { Injectable } from '@nestjs/common';
import {
  type AddedLocation,
  createLocation,
  Forbidden,
  InvalidMeaning,
  type LocationSync,
  type LocationUpdate,
  type NewLocation,
  type RenamedLocation,
  type RunReference,
  syncLocation,
  updateLocation,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Tasks } from '@acervo/platform-queue';
import { entityOf, type Scope, visibilityOf } from '@acervo/rbac';
import { beginUpkeep } from '../kernel/upkeep';
import { ScanRequests } from '../scans/scan-requests';
import { FoldersOverlap } from '../locations/location.errors';
import { LocationStore } from '../locations/location.store';
import { OpenedFolders } from './opened-folders';

/** Changes of folders by administrators of their group; each change requests a scan of the folder. */
@Injectable()
export class LocationChangesHandlers {
  constructor(
    private readonly locations: LocationStore,
    private readonly opened: OpenedFolders,
    private readonly tasks: Tasks,
    private readonly scans: ScanRequests,
  ) {}

  /** Forbidden for callers who see only an area of the entity: they would not see the folder that they add. */
  @Handles(createLocation)
  async create(scope: Scope, { path, entityCode }: NewLocation, context: WriteContext): Promise<AddedLocation> {
    const { locations, opened, tasks, scans } = this;
    const entity = entityOf(scope, entityCode);
    if (visibilityOf(scope).locationRoots !== null) throw new Forbidden();
    const folder = await opened.resolve(scope.groupCode, path);
    const added = await context.write(async (tx) => {
      const root = await locations.register(tx, folder, entity);
      context.concerns({ target: `location:${root.code}` });
      if (root.entityCode !== entity) throw new FoldersOverlap();
      await beginUpkeep(tasks, tx);
      const run = await scans.plan(tx, root, false);
      return { locationCode: root.code, name: root.name, created: root.created, run };
    });
    await scans.notify(scope);
    return added;
  }

  @Handles(updateLocation)
  async update(scope: Scope, { locationCode, name }: LocationUpdate, context: WriteContext): Promise<RenamedLocation> {
    const { locations, scans } = this;
    if (name.includes('/')) throw new InvalidMeaning(['name']);
    const run = await context.write(async (tx) => {
      const root = await locations.visibleRootIn(tx, visibilityOf(scope), locationCode, 'for update of l');
      await locations.rename(tx, locationCode, name);
      return scans.plan(tx, root, false);
    });
    await scans.notify(scope);
    return { locationCode, name, run };
  }

  @Handles(syncLocation)
  async sync(
    scope: Scope,
    { locationCode, acceptDeletions }: LocationSync,
    context: WriteContext,
  ): Promise<RunReference> {
    const { locations, scans } = this;
    const run = await context.write(async (tx) => {
      const root = await locations.visibleRootIn(tx, visibilityOf(scope), locationCode, 'for share of l');
      return scans.plan(tx, root, acceptDeletions);
    });
    await scans.notify(scope);
    return { run };
  }
}
