import { event } from '../events';
import { Code, Flag, Int, ListOf, Moment, Text, TextList } from '../fields';
import { operation } from '../operation';

export class LocationListRequest {
  @Code({ names: 'entity', optional: true, description: 'One of the caller’s own entities' })
  readonly entityCode?: string;
  @Code({ names: 'location', optional: true, description: 'Only folders directly below this one' })
  readonly parentCode?: string;
  @Text({ max: 200, optional: true, description: 'Part of a name or of a code' }) readonly query?: string;
  @Int({ min: 1, max: 200, default: 50, description: 'Most folders to return' }) readonly limit!: number;
  @Text({ min: 1, max: 1_024, optional: true, description: 'Cursor of the page, from the page before' })
  readonly cursor?: string;
  @Flag({ optional: true, description: 'Returns the compiled pages too, of at most 10 folders an answer' })
  readonly withPages?: boolean;
}

/** One folder, as far as the caller sees the tree around it. */
export class LocationItem {
  @Code({ description: 'Code of the folder' }) readonly code!: string;
  @Text({ max: 1_024, description: 'Name' }) readonly name!: string;
  @Code({ nullable: true, description: 'The folder above; null at the top of what the caller sees' })
  readonly parentCode!: string | null;
  @Code({ description: 'Entity of the folder' }) readonly entityCode!: string;
  @Flag({ description: 'There are folders below it' }) readonly hasChildren!: boolean;
  @Text({ max: 500_000, nullable: true, optional: true, description: 'Its page; null where none was compiled' })
  readonly page?: string | null;
  @Moment({ nullable: true, optional: true, description: 'When the page was compiled' })
  readonly pageAt?: string | null;
}

/** Folders of an answer with pages. */
export const MOST_LOCATION_PAGES = 10;

export class LocationList {
  @ListOf(() => LocationItem, { max: 200, description: 'Folders by code' })
  readonly locations!: readonly LocationItem[];
  @Text({ max: 1_024, nullable: true, description: 'Where the next page begins; null on the last one' })
  readonly nextCursor!: string | null;
}

/** @throws NotFound for an entity or a parent that the caller does not see. */
export const listLocations = operation({
  code: 'locations.list',
  owner: 'ingestion',
  callers: ['gateway', 'chat'],
  kind: 'read',
  profile: 'USUARIO',
  screens: [
    'CHAT-FINAL-USER',
    'CHAT-USER',
    'DOC_LOCATIONS',
    'MANAGE_ENTITIES',
    'PROCESS_DOCUMENTS',
    'PROCESS_PIPELINE',
  ],
  summary: 'List the folders that the caller sees, level by level or by name.',
  input: LocationListRequest,
  output: LocationList,
});

/** A folder from a revision on: created, renamed, moved or deleted. */
export class LocationDescribed {
  @Code({ description: 'Code of the folder' }) readonly code!: string;
  @Int({ min: 1, description: 'Rises with every event about the folder' }) readonly revision!: number;
  @Text({ max: 1_024, description: 'Name' }) readonly name!: string;
  @Code({ nullable: true, description: 'The folder above; null for a root' }) readonly parentCode!: string | null;
  @Code({ names: 'entity', description: 'Entity' }) readonly entityCode!: string;
  @TextList({ max: 200, length: 120, description: 'Folders from the root down to this one' })
  readonly ancestors!: readonly string[];
  @Flag({ description: 'The folder is gone' }) readonly removed!: boolean;
}

/** Lets retrieval distinguish an empty folder from an absent one. */
export const locationDescribed = event({
  topic: 'location.described.v1',
  producer: 'ingestion',
  subscribers: ['retrieval'],
  payload: LocationDescribed,
  key: ({ code }) => code,
});

/** Folders that were deleted with their root. Their codes are never reused, and they never come back. */
export class LocationsDeleted {
  @Code({ description: 'The root that was deleted' }) readonly rootCode!: string;
  @TextList({
    max: 1_000,
    length: 120,
    description: 'Some or all of its folders; one of the events names the root itself',
  })
  readonly codes!: readonly string[];
}

/** Lets auth remove deleted folders from the areas that reached them. */
export const locationsDeleted = event({
  topic: 'locations.deleted.v1',
  producer: 'ingestion',
  subscribers: ['auth'],
  payload: LocationsDeleted,
  key: ({ rootCode }) => rootCode,
});
