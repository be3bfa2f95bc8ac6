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
import type { RootFolder } from '../locations/root-folder';
import { OpenedFolders } from './opened-folders';
import { NewWebLocations } from './new-web-locations';

/** Changes of locations by administrators of their group; each change requests a run of the location. */
@Injectable()
export class LocationChangesHandlers {
  constructor(
    private readonly locations: LocationStore,
    private readonly opened: OpenedFolders,
    private readonly tasks: Tasks,
    private readonly scans: ScanRequests,
    private readonly webLocations: NewWebLocations,
  ) {}

  /** Forbidden for callers who see only an area of the entity: they would not see the location that they add. */
  @Handles(createLocation)
  async create(scope: Scope, location: NewLocation, context: WriteContext): Promise<AddedLocation> {
    const { locations, tasks, scans, webLocations } = this;
    const web = webLocations.read(location);
    const entity = entityOf(scope, location.entityCode);
    if (visibilityOf(scope).locationRoots !== null) throw new Forbidden();
    const folder = web?.root ?? (await this.folderOf(scope, location));
    const added = await context.write(async (tx) => {
      const root = await locations.register(tx, folder, entity);
      context.concerns({ target: `location:${root.code}` });
      if (root.entityCode !== entity) throw new FoldersOverlap();
      await beginUpkeep(tasks, tx);
      const run = web === null ? await scans.plan(tx, root, false) : await webLocations.begin(tx, root, web);
      return { locationCode: root.code, name: root.name, created: root.created, run };
    });
    await scans.notify(scope);
    return added;
  }

  /** @throws InvalidMeaning without a path, FolderNotOpen */
  private folderOf(scope: Scope, { path }: NewLocation): Promise<RootFolder> {
    if (path === undefined) throw new InvalidMeaning(['path', 'name', 'start_urls', 'topic']);
    return this.opened.resolve(scope.groupCode, path);
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
