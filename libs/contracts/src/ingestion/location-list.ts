import { call } from '../calls';
import { event } from '../events';
import { Code, Flag, Int, ListOf, Text, TextList } from '../fields';

export class LocationListRequest {
  @Code({ optional: true, description: 'One of the caller’s own entities' }) readonly entityCode?: string;
  @Code({ optional: true, description: 'Only folders directly below this one' }) readonly parentCode?: string;
  @Text({ max: 200, optional: true, description: 'Part of a name or of a code' }) readonly query?: string;
  @Int({ min: 1, max: 200, default: 50, description: 'Most folders to return' }) readonly limit!: number;
  @Text({ min: 1, max: 1_024, optional: true, description: 'Where the page begins, as the page before told it' })
  readonly cursor?: string;
}

/** One folder, as far as the caller sees the tree around it. */
export class LocationItem {
  @Code({ description: 'Code of the folder' }) readonly code!: string;
  @Text({ max: 1_024, description: 'Name' }) readonly name!: string;
  @Code({ nullable: true, description: 'The folder above; null at the top of what the caller sees' })
  readonly parentCode!: string | null;
  @Code({ description: 'Entity of the folder' }) readonly entityCode!: string;
  @Flag({ description: 'There are folders below it' }) readonly hasChildren!: boolean;
}

export class LocationList {
  @ListOf(() => LocationItem, { max: 200, description: 'Folders by code' })
  readonly locations!: readonly LocationItem[];
  @Text({ max: 1_024, nullable: true, description: 'Where the next page begins; null on the last one' })
  readonly nextCursor!: string | null;
}

/** The folders that a caller sees. @throws NotFound for an entity or a parent that it does not see. */
export const listLocations = call({
  code: 'locations.list',
  owner: 'ingestion',
  effect: 'read',
  scope: 'user',
  callers: ['gateway', 'chat', 'operations'],
  input: LocationListRequest,
  output: LocationList,
});

/** A folder as it is from a revision on: made, renamed, moved or gone. */
export class LocationDescribed {
  @Code({ description: 'Code of the folder' }) readonly code!: string;
  @Int({ min: 1, description: 'Rises with every fact about the folder' }) readonly revision!: number;
  @Text({ max: 1_024, description: 'Name' }) readonly name!: string;
  @Code({ nullable: true, description: 'The folder above; null for a root' }) readonly parentCode!: string | null;
  @Code({ description: 'Entity' }) readonly entityCode!: string;
  @TextList({ max: 200, length: 120, description: 'Folders from the root down to this one' })
  readonly ancestors!: readonly string[];
  @Flag({ description: 'The folder is gone' }) readonly removed!: boolean;
}

/** Lets retrieval tell an empty folder from one that is not there. */
export const locationDescribed = event({
  topic: 'location.described.v1',
  producer: 'ingestion',
  subscribers: ['retrieval'],
  payload: LocationDescribed,
  key: ({ code }) => code,
});

/** Folders that were deleted with their root. Their codes are never given to others, and they never come back. */
export class LocationsDeleted {
  @Code({ description: 'The root that was deleted' }) readonly rootCode!: string;
  @TextList({ max: 1_000, length: 120, description: 'Some of its folders, or all; itself among them at some time' })
  readonly codes!: readonly string[];
}

/** Lets auth take deleted folders off the areas that reached them. */
export const locationsDeleted = event({
  topic: 'locations.deleted.v1',
  producer: 'ingestion',
  subscribers: ['auth'],
  payload: LocationsDeleted,
  key: ({ rootCode }) => rootCode,
});
