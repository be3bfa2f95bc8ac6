import { spaceType, type SpaceType } from '@acervo/public-mapping';
import { Choice, Code, Flag, Int, ListOf, Meaningful, Moment, Nested, OneOf, Text } from '../fields';
import { SpaceCriteria } from './criteria';

export const setOperations = ['union', 'intersection', 'difference', 'symmetric_difference'] as const;
export type SetOperation = (typeof setOperations)[number];

/** The number of a space, as an input names it. */
export const SPACE_NUMBER = { min: 1, max: 2_147_483_647, names: 'space' } as const;
const NAME = { max: 200, description: 'Name' } as const;
const DESCRIPTION = { max: 2_000, description: 'What the space is for' } as const;
const CRITERIA = 'What its documents have in common; at least one criterion';

export class SpaceReference {
  @Int({ ...SPACE_NUMBER, description: 'Number of the space' }) readonly spaceId!: number;
}

/** How a composed space follows from two others. */
export class SpaceExpression {
  @Choice(setOperations, { publicly: 'same', description: 'Set operation' }) readonly operation!: SetOperation;
  @Int({ min: 1, description: 'Number of the first space' }) readonly spaceIdA!: number;
  @Int({ min: 1, description: 'Number of the second space' }) readonly spaceIdB!: number;
}

/** A set of documents. What it shows of them is what its reader sees of them now. */
export class Space {
  @Int({ min: 1, description: 'Number of the space, unique in the group' }) readonly spaceId!: number;
  @Text(NAME) readonly name!: string;
  @Text(DESCRIPTION) readonly description!: string;
  @OneOf(spaceType, {
    description: 'AREA: a working set of its owner; SPACE: shared with all readers of its entity',
  })
  readonly type!: SpaceType;
  @Code({ nullable: true, description: 'The only entity whose documents it gathers; null for the whole group' })
  readonly entityCode!: string | null;
  @Nested(() => SpaceCriteria, {
    nullable: true,
    description: 'What gathers its documents; null without criteria, and for readers who may not change the space',
  })
  readonly criteria!: SpaceCriteria | null;
  @Nested(() => SpaceExpression, {
    nullable: true,
    description: 'How it was composed; null if it was not, and for readers who may not change the space',
  })
  readonly expression!: SpaceExpression | null;
  @Flag({ description: 'The caller owns the space' }) readonly isOwn!: boolean;
  @Int({ description: 'Documents of the space that the caller sees' }) readonly documentCount!: number;
  @Moment({ nullable: true, description: 'When its documents were gathered; null before' })
  readonly refreshedAt!: string | null;
  @Flag({
    description:
      'Documents that the caller sees, or the spaces that it was composed of, changed since; or a refresh still runs',
  })
  readonly isStale!: boolean;
  @Moment({ description: 'When the space was created' }) readonly createdAt!: string;
  @Moment({ description: 'When name, description, type or criteria changed' }) readonly updatedAt!: string;
}

export class NewSpace {
  @Meaningful({ ...NAME, min: 1 }) readonly name!: string;
  @Text({ ...DESCRIPTION, optional: true }) readonly description?: string;
  @OneOf(spaceType, { optional: true, description: 'AREA without it: a working set; SPACE: shared' })
  readonly type?: SpaceType;
  @Code({
    names: 'entity',
    optional: true,
    nullable: true,
    description: 'One of the caller’s own entities in focus; null for the whole group; without it the entity in focus',
  })
  readonly entityCode?: string | null;
  @Nested(() => SpaceCriteria, { optional: true, description: `${CRITERIA}; the space is empty without them` })
  readonly criteria?: SpaceCriteria;
}

/** Changes of a space; absent fields stay. */
export class SpaceUpdate extends SpaceReference {
  @Meaningful({ ...NAME, min: 1, optional: true }) readonly name?: string;
  @Text({ ...DESCRIPTION, optional: true }) readonly description?: string;
}

export class SpaceCriteriaUpdate extends SpaceReference {
  @Nested(() => SpaceCriteria, { description: CRITERIA }) readonly criteria!: SpaceCriteria;
}

export class SpaceListRequest {
  @Int({ min: 1, max: 200, default: 20, description: 'Most spaces to return' }) readonly limit!: number;
  @Text({ min: 1, max: 1_024, optional: true, description: 'Cursor of the page, from the page before' })
  readonly cursor?: string;
}

export class SpaceList {
  @ListOf(() => Space, { max: 200, description: 'Spaces by number, the latest first' })
  readonly spaces!: readonly Space[];
  @Int({ description: 'Spaces that the caller sees' }) readonly total!: number;
  @Text({ max: 1_024, nullable: true, description: 'Where the next page begins; null on the last one' })
  readonly nextCursor!: string | null;
}

/** The effects of deleting a space. Documents stay. */
export class SpaceEffect extends SpaceReference {
  @Int({ description: 'Documents of the space that the caller sees; they stay' }) readonly documents!: number;
  @Int({ description: 'Spaces composed of it, which keep their documents and can no longer be refreshed' })
  readonly composedSpaces!: number;
}

export class SpaceDeleted extends SpaceReference {
  @Flag({ description: 'Always true' }) readonly deleted!: boolean;
}
