import { randomUUID } from 'node:crypto';
import {
  type AddedLocation,
  type AreaLinks,
  countAreaLinks,
  createLocation,
  deleteLocation,
  Forbidden,
  InvalidMeaning,
  type LocationDeleted,
  type LocationEffect,
  type LocationSync,
  type LocationUpdate,
  type NewLocation,
  previewLocationDeletion,
  type RebuiltHierarchy,
  rebuildHierarchy,
  type RenamedLocation,
  type RootReference,
  type RunReference,
  syncLocation,
  updateLocation,
} from '@acervo/contracts';
import { type Calls, Handles, type WriteContext } from '@acervo/platform-calls';
import type { Database, Transaction } from '@acervo/platform-database';
import type { Doorbells, Tasks } from '@acervo/platform-queue';
import { entityOf, type Scope, type Visibility, visibilityOf } from '@acervo/rbac';
import { REMOVE, SCAN } from '../pipeline/stages';
import { beginUpkeep } from '../pipeline/upkeep';
import type { RunStore } from '../runs/run.store';
import type { ScanTurns } from '../runs/scan-turns';
import type { HierarchyStore } from './hierarchy.store';
import { FoldersOverlap, ScanAtWork } from './location.errors';
import type { LocationStore } from './location.store';
import type { OpenedFolders } from './opened-folders';
import { codesBelow, countHeld, markDeleted } from './removal';

export interface LocationChangesParts {
  readonly database: Database;
  readonly calls: Pick<Calls, 'send'>;
  readonly locations: LocationStore;
  readonly hierarchy: HierarchyStore;
  readonly opened: OpenedFolders;
  readonly runs: RunStore;
  readonly turns: ScanTurns;
  readonly tasks: Tasks;
  readonly doorbells: Pick<Doorbells, 'ring'>;
}

/** What administrators do about the folders of their group. */
export class LocationChangesCalls {
  constructor(private readonly parts: LocationChangesParts) {}

  /** Whoever sees an area of the entity only would not see what they add, and may not. */
  @Handles(createLocation)
  async create(scope: Scope, { path, entityCode }: NewLocation, context: WriteContext): Promise<AddedLocation> {
    const { locations, opened, tasks } = this.parts;
    const entity = entityOf(scope, entityCode);
    if (visibilityOf(scope).locationRoots !== null) throw new Forbidden();
    const folder = await opened.resolve(scope.groupCode, path);
    const added = await context.write(async (tx) => {
      const root = await locations.register(tx, folder, entity);
      if (root.entityCode !== entity) throw new FoldersOverlap();
      await beginUpkeep(tasks, tx);
      const run = await this.plan(tx, root.code, false);
      return { locationCode: root.code, name: root.name, created: root.created, run };
    });
    await this.parts.doorbells.ring(scope.groupId, SCAN.name);
    return added;
  }

  @Handles(updateLocation)
  async update(scope: Scope, { locationCode, name }: LocationUpdate, context: WriteContext): Promise<RenamedLocation> {
    const { locations, doorbells } = this.parts;
    if (name.includes('/')) throw new InvalidMeaning(['name']);
    const run = await context.write(async (tx) => {
      await locations.visibleRootIn(tx, visibilityOf(scope), locationCode, 'for update of l');
      await locations.rename(tx, locationCode, name);
      return this.plan(tx, locationCode, false);
    });
    await doorbells.ring(scope.groupId, SCAN.name);
    return { locationCode, name, run };
  }

  @Handles(syncLocation)
  async sync(
    scope: Scope,
    { locationCode, acceptDeletions }: LocationSync,
    context: WriteContext,
  ): Promise<RunReference> {
    const { locations, doorbells } = this.parts;
    const run = await context.write(async (tx) => {
      await locations.visibleRootIn(tx, visibilityOf(scope), locationCode, 'for share of l');
      return this.plan(tx, locationCode, acceptDeletions);
    });
    await doorbells.ring(scope.groupId, SCAN.name);
    return { run };
  }

  @Handles(deleteLocation)
  async delete(scope: Scope, { locationCode }: RootReference, context: WriteContext): Promise<LocationDeleted> {
    const { locations, tasks, doorbells } = this.parts;
    const visibility = visibilityOf(scope);
    const { areas } = await this.linksOf(scope, await this.codesOfVisible(visibility, locationCode));
    const effect = await context.write(async (tx) => {
      await locations.visibleRootIn(tx, visibility, locationCode, 'for update of l');
      const held = await countHeld(tx, visibility, locationCode);
      await markDeleted(tx, locationCode);
      await tasks.enqueue(tx, {
        subjectId: randomUUID(),
        stage: REMOVE.name,
        generation: 1,
        payload: { root: locationCode },
      });
      return held;
    });
    await doorbells.ring(scope.groupId, REMOVE.name);
    return { ...effect, areas, deleted: true };
  }

  @Handles(previewLocationDeletion)
  async previewDeletion(scope: Scope, { locationCode }: RootReference): Promise<LocationEffect> {
    const visibility = visibilityOf(scope);
    const { held, locationCodes } = await this.parts.database.read(visibility, async (tx) => ({
      held: await countHeld(tx, visibility, locationCode),
      locationCodes: await codesBelow(tx, locationCode),
    }));
    return { ...held, ...(await this.linksOf(scope, locationCodes)) };
  }

  @Handles(rebuildHierarchy)
  rebuild(scope: Scope, { locationCode }: RootReference, context: WriteContext): Promise<RebuiltHierarchy> {
    const { locations, hierarchy, turns } = this.parts;
    return context.write(async (tx) => {
      const root = await locations.visibleRootIn(tx, visibilityOf(scope), locationCode, 'for update of l');
      if (!(await turns.keepAway(tx, root))) throw new ScanAtWork();
      const placed = await hierarchy.placeFolders(tx, root);
      const documents = await hierarchy.placeDocuments(tx, root);
      return { locationCode, locations: placed, documents, remaining: await hierarchy.astray(tx, root) };
    });
  }

  /** The folders of a root, by which their links are asked for. @throws NotFound */
  private codesOfVisible(visibility: Visibility, code: string): Promise<string[]> {
    return this.parts.database.read(visibility, async (tx) => {
      await this.parts.locations.visibleRootIn(tx, visibility, code);
      return codesBelow(tx, code);
    });
  }

  private linksOf(scope: Scope, locationCodes: readonly string[]): Promise<AreaLinks> {
    return this.parts.calls.send(countAreaLinks, scope, { locationCodes });
  }

  private async plan(tx: Transaction, code: string, acceptDeletions: boolean): Promise<number> {
    const { run, runId } = await this.parts.runs.plan(tx, { code }, acceptDeletions);
    await this.parts.tasks.enqueue(tx, { subjectId: runId, stage: SCAN.name, generation: 1 });
    return run;
  }
}
