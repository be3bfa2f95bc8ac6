import { Code, Flag, Int, ListOf, Meaningful, Text } from '../fields';

const NAME = { max: 200, description: 'Name' } as const;

export class EntityListRequest {
  @Text({ max: 200, optional: true, description: 'Part of a name or of a code' }) readonly query?: string;
  @Int({ min: 1, max: 200, default: 50, description: 'Most entities to return' }) readonly limit!: number;
  @Text({ min: 1, max: 1_024, optional: true, description: 'Cursor of the page, from the page before' })
  readonly cursor?: string;
}

export class EntityItem {
  @Code({ description: 'Code of the entity' }) readonly code!: string;
  @Text(NAME) readonly name!: string;
  @Flag({ description: 'It is divided into areas' }) readonly hasAreas!: boolean;
}

export class EntityList {
  @ListOf(() => EntityItem, { max: 200, description: 'Entities by code' }) readonly entities!: readonly EntityItem[];
  @Text({ max: 1_024, nullable: true, description: 'Where the next page begins; null on the last one' })
  readonly nextCursor!: string | null;
}

export class EntityReference {
  @Code({ names: 'entity', description: 'Code of the entity' }) readonly entityCode!: string;
}

export class NewEntity {
  @Meaningful({ ...NAME, min: 1 }) readonly name!: string;
  @Code({
    names: 'new entity',
    optional: true,
    description: 'Code, unique in the group; the next free number unless given',
  })
  readonly code?: string;
}

/** Changes of an entity. Its code never changes; its texts are part of the organisation profile. */
export class EntityUpdate extends EntityReference {
  @Meaningful({ ...NAME, min: 1 }) readonly name!: string;
}

/** Counts of what prevents the deletion of an entity. */
export class EntityDependencies extends EntityReference {
  @Int({ description: 'Areas of it' }) readonly areas!: number;
  @Int({ description: 'Users who have it' }) readonly users!: number;
  @Int({ description: 'Keys in use that are fixed to it' }) readonly keys!: number;
  @Int({ description: 'Folders of it' }) readonly locations!: number;
  @Int({ description: 'Documents of it' }) readonly documents!: number;
  @Int({ default: 0, description: 'Document types of it' }) readonly documentTypes!: number;
  @Int({ default: 0, description: 'Spaces of it, those of other users too' }) readonly spaces!: number;
  @Int({ description: 'All of it together' }) readonly total!: number;
}

export class EntityDeleted extends EntityReference {
  @Flag({ description: 'Always true' }) readonly deleted!: boolean;
}

/** The name of a group, for its administrators. The code never changes. */
export class GroupUpdate {
  @Meaningful({ ...NAME, min: 1 }) readonly name!: string;
}

export class GroupRecord {
  @Code({ description: 'Code of the group' }) readonly code!: string;
  @Text(NAME) readonly name!: string;
}
