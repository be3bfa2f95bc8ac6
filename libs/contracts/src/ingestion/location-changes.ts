import { call } from '../calls';
import { Code, Flag, Int, ListOf, Meaningful, Text } from '../fields';
import { Empty, RegisteredFolder } from './folders';
import { RunReference } from './queue';

export class NewLocation {
  @Text({
    min: 1,
    max: 4_096,
    description: 'Absolute path of a folder below one that the operator opened to the group',
  })
  readonly path!: string;
  @Code({ optional: true, description: 'Entity of its documents; the one in focus unless named' })
  readonly entityCode?: string;
}

/** A folder that was added, and the scan of it. */
export class AddedLocation extends RegisteredFolder {
  @Int({ min: 1, description: 'Number of the run that scans it' }) readonly run!: number;
}

export class RootReference {
  @Code({ description: 'Visible location that is the root of its tree' }) readonly locationCode!: string;
}

export class LocationUpdate extends RootReference {
  @Meaningful({ min: 1, max: 200, description: 'Name: the first step of the logical paths of its documents' })
  readonly name!: string;
}

/** A folder with another name. */
export class RenamedLocation extends RootReference {
  @Text({ max: 1_024, description: 'Name of the location' }) readonly name!: string;
  @Int({ min: 1, description: 'Number of the run that brings its documents to the new name' }) readonly run!: number;
}

export class LocationSync extends RootReference {
  @Flag({ default: false, description: 'Believe that documents are gone, even when most are gone at once' })
  readonly acceptDeletions!: boolean;
}

/** What leaves with a location. The files themselves stay where they are. */
export class LocationEffect extends RootReference {
  @Int({ description: 'Folders, itself included' }) readonly locations!: number;
  @Int({ description: 'Documents in them, files inside files included' }) readonly documents!: number;
  @Int({ description: 'Passages that leave search' }) readonly chunks!: number;
  @Int({ description: 'Pieces of work that are withdrawn' }) readonly waiting!: number;
  @Int({ description: 'Areas that are linked to one of the folders; these links go with them' })
  readonly areas!: number;
}

export class LocationDeleted extends LocationEffect {
  @Flag({ description: 'Always true' }) readonly deleted!: boolean;
}

/** What did not stand where its path says, and does now. */
export class RebuiltHierarchy extends RootReference {
  @Int({ description: 'Folders that were put where they belong, new ones included' }) readonly locations!: number;
  @Int({ description: 'Documents that were put into the folder of their path' }) readonly documents!: number;
  @Int({ description: 'Documents that are still to be put right: ask again while there are any' })
  readonly remaining!: number;
}

const asked = { owner: 'ingestion', scope: 'user', callers: ['operations'] } as const;
const writes = { ...asked, effect: 'write' } as const;

/**
 * Adds a folder on the machine of the service and scans it. Adding twice is adding once.
 * @throws FolderNotOpen unless it lies below a folder that the operator opened to the group.
 */
export const createLocation = call({ ...writes, code: 'locations.create', input: NewLocation, output: AddedLocation });
/** Names a location otherwise; its documents follow with the scan that this starts. */
export const updateLocation = call({
  ...writes,
  code: 'locations.update',
  input: LocationUpdate,
  output: RenamedLocation,
});
/** Scans a location anew; the run tells how far it is. */
export const syncLocation = call({ ...writes, code: 'locations.sync', input: LocationSync, output: RunReference });
/**
 * Takes a location out with everything in it. It is gone from every list at once, its documents follow within moments;
 * a folder that is added again begins anew.
 */
export const deleteLocation = call({
  ...writes,
  code: 'locations.delete',
  input: RootReference,
  output: LocationDeleted,
});
/** Counts what a deletion would take out, by the deletion's own query. */
export const previewLocationDeletion = call({
  ...asked,
  effect: 'read',
  code: 'locations.preview_delete',
  input: RootReference,
  output: LocationEffect,
});
/**
 * Derives the tree of a location again from the paths of its documents: every folder hangs on the one of the path above,
 * every document lies in the folder of its path. What stands right stays as it is.
 */
export const rebuildHierarchy = call({
  ...writes,
  code: 'locations.rebuild_hierarchy',
  input: RootReference,
  output: RebuiltHierarchy,
});

/** A root of the group as the program that watches folders knows it. */
export class WatchedRoot {
  @Text({ max: 4_096, description: 'Absolute path, links resolved' }) readonly path!: string;
  @Flag({ description: 'It was deleted and not added again' }) readonly deleted!: boolean;
  @Flag({ description: 'A run that somebody asked for has yet to begin: what it finds is for it to tell' })
  readonly awaitsRun!: boolean;
}

export class WatchedRoots {
  @ListOf(() => WatchedRoot, { max: 10_000, description: 'Folders that are or were registered, by path' })
  readonly roots!: readonly WatchedRoot[];
}

/** The folders of the group, those that were deleted included, so that nobody takes them in again by himself. */
export const listRoots = call({
  owner: 'ingestion',
  scope: 'work',
  callers: ['standalone'],
  effect: 'read',
  code: 'locations.list_roots',
  input: Empty,
  output: WatchedRoots,
});
