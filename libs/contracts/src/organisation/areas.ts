import { Code, Flag, Int, ListOf, Meaningful, Text, TextList } from '../fields';

/** A cursor of the page before, valid for the same credential and the same filters only. */
const CURSOR = { min: 1, max: 1_024, description: 'Cursor of the page, from the page before' } as const;
const NEXT = { max: 1_024, nullable: true, description: 'Where the next page begins; null on the last one' } as const;
const LIMIT = { min: 1, max: 200, default: 50 } as const;
const NAME = { max: 200, description: 'Name' } as const;

/** Filters of a list of areas. */
export class AreaListRequest {
  @Code({ names: 'entity', optional: true, description: 'Entity to look in; the one in focus unless named' })
  readonly entityCode?: string;
  @Code({ names: 'area', optional: true, description: 'Only areas directly below this one' })
  readonly parentCode?: string;
  @Text({ max: 200, optional: true, description: 'Part of a name or of a code' }) readonly query?: string;
  @Int({ ...LIMIT, description: 'Most areas to return' }) readonly limit!: number;
  @Text({ ...CURSOR, optional: true }) readonly cursor?: string;
}

/** One area, as far as the caller sees the tree around it. */
export class AreaItem {
  @Code({ description: 'Code of the area' }) readonly code!: string;
  @Text(NAME) readonly name!: string;
  @Code({ nullable: true, description: 'The area above; null at the top of what the caller sees' })
  readonly parentCode!: string | null;
  @Code({ description: 'Entity of the area' }) readonly entityCode!: string;
  @Flag({ description: 'There are areas below it' }) readonly hasChildren!: boolean;
}

export class AreaList {
  @ListOf(() => AreaItem, { max: 200, description: 'Areas by code' }) readonly areas!: readonly AreaItem[];
  @Text(NEXT) readonly nextCursor!: string | null;
}

export class AreaReference {
  @Code({ names: 'area', description: 'Code of the area' }) readonly areaCode!: string;
}

export class NewArea {
  @Code({ names: 'entity', optional: true, description: 'Entity of the area; the one in focus unless named' })
  readonly entityCode?: string;
  @Meaningful({ ...NAME, min: 1 }) readonly name!: string;
  @Code({
    names: 'new area',
    optional: true,
    description: 'Code, unique in the group; the next free number unless given',
  })
  readonly code?: string;
  @Code({
    names: 'area',
    optional: true,
    nullable: true,
    description: 'The area above, of the same entity; none at the top',
  })
  readonly parentCode?: string | null;
}

/** Changes of an area; absent fields stay. Code and entity never change. */
export class AreaUpdate extends AreaReference {
  @Meaningful({ ...NAME, min: 1, optional: true }) readonly name?: string;
  @Code({
    names: 'area',
    optional: true,
    nullable: true,
    description: 'The area above; null moves it to the top of its entity',
  })
  readonly parentCode?: string | null;
}

/** Counts of what prevents the deletion of an area. */
export class AreaDependencies extends AreaReference {
  @Int({ description: 'Areas directly below it' }) readonly areas!: number;
  @Int({ description: 'Users who have this area of the entity only' }) readonly users!: number;
  @Int({ description: 'Keys in use that are fixed to it' }) readonly keys!: number;
  @Int({ description: 'Folders that are linked to it' }) readonly locations!: number;
  @Int({ description: 'Documents in these folders and below' }) readonly documents!: number;
  @Int({ description: 'All of it together' }) readonly total!: number;
}

export class AreaDeleted extends AreaReference {
  @Flag({ description: 'Always true' }) readonly deleted!: boolean;
}

export class AreaLocationReference extends AreaReference {
  @Code({ names: 'location', description: 'Code of the folder' }) readonly locationCode!: string;
}

export class AreaLocationRemoved extends AreaLocationReference {
  @Flag({ description: 'Always true' }) readonly removed!: boolean;
}

export class AreaLinksRequest {
  @TextList({ names: 'location', max: 10_000, length: 120, description: 'Codes of folders' })
  readonly locationCodes!: readonly string[];
}

export class AreaLinks {
  @Int({ description: 'Areas that are linked to one of them' }) readonly areas!: number;
}

/** The effects of unlinking a folder from an area. Nothing is deleted. */
export class AreaLocationEffect extends AreaLocationReference {
  @Int({ description: 'Users who have this area of the entity only' }) readonly users!: number;
  @Int({ description: 'Keys in use that are fixed to it' }) readonly keys!: number;
  @Int({ description: 'Folders that it would no longer reach by this link' }) readonly locations!: number;
  @Int({ description: 'Documents in them' }) readonly documents!: number;
}

export class AreaLocationsRequest extends AreaReference {
  @Int({ ...LIMIT, description: 'Most folders to return' }) readonly limit!: number;
  @Text({ ...CURSOR, optional: true }) readonly cursor?: string;
}

/** A folder that an area and the areas above it reach, with everything below it. */
export class AreaLocationItem {
  @Code({ description: 'Code of the folder' }) readonly locationCode!: string;
  @Text({ max: 1_024, nullable: true, description: 'Name of the folder; null when it no longer exists' })
  readonly name!: string | null;
}

export class AreaLocations {
  @ListOf(() => AreaLocationItem, { max: 200, description: 'Folders by code' })
  readonly locations!: readonly AreaLocationItem[];
  @Text(NEXT) readonly nextCursor!: string | null;
}
