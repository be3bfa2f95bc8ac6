import { call } from '../calls';
import { Empty } from '../empty';
import { Code, Flag, Int, ListOf, Meaningful, Text, TextList } from '../fields';
import { operation } from '../operation';
import { RegisteredFolder } from './folders';
import { RootReference, RunReference } from './queue';

export class NewLocation {
  @Text({
    min: 1,
    max: 4_096,
    optional: true,
    description:
      'Absolute path of a folder below one that the operator opened to the group; a web location has name, start pages and topic instead',
  })
  readonly path?: string;
  @Text({ min: 1, max: 200, optional: true, description: 'Name of a web location' }) readonly name?: string;
  @TextList({
    max: 20,
    length: 2_048,
    optional: true,
    description: 'Addresses at which research of a web location begins, at least one',
  })
  readonly startUrls?: readonly string[];
  @Text({ min: 1, max: 1_000, optional: true, description: 'What the pages of a web location are about' })
  readonly topic?: string;
  @Code({ names: 'entity', optional: true, description: 'Entity of its documents; the one in focus unless named' })
  readonly entityCode?: string;
}

/** An added location, and its first run: the scan of a folder, or the research of a web location. */
export class AddedLocation extends RegisteredFolder {
  @Int({ min: 1, description: 'Number of its first run' }) readonly run!: number;
}

export class LocationUpdate extends RootReference {
  @Meaningful({ min: 1, max: 200, description: 'Name: the first step of the logical paths of its documents' })
  readonly name!: string;
}

/** A renamed folder. */
export class RenamedLocation extends RootReference {
  @Text({ max: 1_024, description: 'Name of the location' }) readonly name!: string;
  @Int({ min: 1, description: 'Number of the run that brings its documents to the new name' }) readonly run!: number;
}

export class LocationSync extends RootReference {
  @Flag({ default: false, description: 'Accept deletions, even of most documents at once' })
  readonly acceptDeletions!: boolean;
}

/** What the deletion of a location removes. The files themselves stay in place. */
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

/** Folders and documents that were moved to the place of their path. */
export class RebuiltHierarchy extends RootReference {
  @Int({ description: 'Folders that were put where they belong, new ones included' }) readonly locations!: number;
  @Int({ description: 'Documents that were put into the folder of their path' }) readonly documents!: number;
  @Int({ description: 'Documents that still need a repair: repeat the request while there are any' })
  readonly remaining!: number;
}

const published = { owner: 'ingestion', profile: 'ADMINISTRADOR' } as const;

/**
 * Adds a folder on the machine of the service and scans it, or a web location and researches it. Idempotent.
 * @throws FolderNotOpen unless the folder lies below one that the operator opened to the group.
 */
export const createLocation = operation({
  ...published,
  code: 'locations.create',
  kind: 'write',
  screens: ['DOC_LOCATIONS'],
  summary: 'Add a folder below one that the operator opened to the group, or a topic with start pages of the web.',
  input: NewLocation,
  output: AddedLocation,
});
export const updateLocation = operation({
  ...published,
  code: 'locations.update',
  kind: 'write',
  screens: ['DOC_LOCATIONS', 'PROCESS_PIPELINE'],
  summary: 'Rename a location; its documents follow with the scan that this starts.',
  input: LocationUpdate,
  output: RenamedLocation,
});
/** Scans a location again; the run reports the progress. */
export const syncLocation = operation({
  ...published,
  code: 'locations.sync',
  kind: 'write',
  screens: ['DOC_LOCATIONS', 'PROCESS_PIPELINE'],
  summary: 'Scan a folder again or refresh a web location, and accept deletions where the request says so.',
  input: LocationSync,
  output: RunReference,
});
/** Counts what a deletion would remove, by the query of the deletion itself. */
export const previewLocationDeletion = operation({
  ...published,
  code: 'locations.preview_delete',
  kind: 'read',
  screens: ['DOC_LOCATIONS', 'PROCESS_PIPELINE'],
  summary: 'Count what the deletion of a location would remove.',
  input: RootReference,
  output: LocationEffect,
});
/**
 * Deletes a location with everything in it. It leaves every list at once, and its documents follow within moments. A
 * folder that is added again starts from scratch.
 */
export const deleteLocation = operation({
  ...published,
  code: 'locations.delete',
  kind: 'write_confirm',
  screens: ['DOC_LOCATIONS', 'PROCESS_PIPELINE'],
  summary: 'Remove a location with everything in it; its files and web pages stay where they are.',
  preview: previewLocationDeletion,
  input: RootReference,
  output: LocationDeleted,
});
/**
 * Rebuilds the tree of a location from the paths of its documents. Every folder gets the folder of the path above as
 * its parent, every document the folder of its path. Correct entries stay unchanged.
 */
export const rebuildHierarchy = operation({
  ...published,
  code: 'locations.rebuild_hierarchy',
  kind: 'write',
  screens: ['DOC_LOCATIONS'],
  summary: 'Derive the tree of a folder again from the paths of its documents; a web location has none.',
  input: RootReference,
  output: RebuiltHierarchy,
});

/** A root of the group, as the program that watches folders sees it. */
export class WatchedRoot {
  @Text({ max: 4_096, description: 'Absolute path, links resolved' }) readonly path!: string;
  @Flag({ description: 'It was deleted and not added again' }) readonly deleted!: boolean;
  @Flag({ description: 'A requested run has not begun yet; it reports what it finds' })
  readonly awaitsRun!: boolean;
}

export class WatchedRoots {
  @ListOf(() => WatchedRoot, { max: 10_000, description: 'Folders that are or were registered, by path' })
  readonly roots!: readonly WatchedRoot[];
}

/** The folders of the group, including deleted ones, so that the folder manager does not ingest them again. */
export const listRoots = call({
  owner: 'ingestion',
  scope: 'work',
  callers: ['standalone'],
  effect: 'read',
  code: 'locations.list_roots',
  input: Empty,
  output: WatchedRoots,
});
