import { Injectable } from '@nestjs/common';
import { type RebuiltHierarchy, rebuildHierarchy, type RootReference } from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { type Scope, visibilityOf } from '@acervo/rbac';
import { ScanLocks } from '../scans/scan-locks';
import { HierarchyStore } from './hierarchy.store';
import { ScanAtWork } from '../locations/location.errors';
import { LocationStore } from '../locations/location.store';
import { isWebRoot } from '../locations/web-root';

/** Repairs the tree of a root after the paths of its documents. */
@Injectable()
export class HierarchyHandlers {
  constructor(
    private readonly locations: LocationStore,
    private readonly hierarchy: HierarchyStore,
    private readonly scanLocks: ScanLocks,
  ) {}

  @Handles(rebuildHierarchy)
  rebuild(scope: Scope, { locationCode }: RootReference, context: WriteContext): Promise<RebuiltHierarchy> {
    const { locations, hierarchy, scanLocks } = this;
    return context.write(async (tx) => {
      const root = await locations.visibleRootIn(tx, visibilityOf(scope), locationCode, 'for update of l');
      // The paths of web pages are no folders.
      if (isWebRoot(root)) return { locationCode, locations: 0, documents: 0, remaining: 0 };
      if (!(await scanLocks.blockScans(tx, root))) throw new ScanAtWork();
      const placed = await hierarchy.placeFolders(tx, root);
      const documents = await hierarchy.placeDocuments(tx, root);
      return { locationCode, locations: placed, documents, remaining: await hierarchy.astray(tx, root) };
    });
  }
}
