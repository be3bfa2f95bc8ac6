import { call } from '../calls';
import { Code, Flag, Int, TextList } from '../fields';
import { MOST_FEATURES } from '../taxonomy';
import { SpaceReference } from './spaces';

const read = { owner: 'retrieval', scope: 'user', effect: 'read' } as const;
const NAMED = { max: MOST_FEATURES, length: 120 } as const;

export class SpaceCount {
  @Int({ description: 'Spaces' }) readonly spaces!: number;
}

export class SpacesOfEntity {
  @Code({ names: 'entity', description: 'Entity of the spaces' }) readonly entityCode!: string;
}

/** Counts the spaces of an entity regardless of visibility, so that it is not deleted while it has one. */
export const countSpacesOfEntity = call({
  ...read,
  callers: ['auth'],
  code: 'spaces.count_of_entity',
  input: SpacesOfEntity,
  output: SpaceCount,
});

/** Codes of types and features that a change takes away. */
export class NamedCodes {
  @TextList({ ...NAMED, description: 'Codes of document types' }) readonly documentTypes!: readonly string[];
  @TextList({ ...NAMED, description: 'Codes of features with a value' }) readonly attributes!: readonly string[];
  @TextList({ ...NAMED, description: 'Codes of features without a value' })
  readonly characteristics!: readonly string[];
}

/** Counts the spaces that the caller sees and whose criteria name one of the codes; such a criterion then matches nothing. */
export const countSpacesNaming = call({
  ...read,
  callers: ['ingestion'],
  code: 'spaces.count_naming',
  input: NamedCodes,
  output: SpaceCount,
});

export class SpaceExistence {
  @Flag({ description: 'Whether the group has the space' }) readonly exists!: boolean;
}

/** Says whether a space is there: what was derived from a deleted one is not kept. */
export const spaceExists = call({
  ...read,
  scope: 'work',
  callers: ['ingestion'],
  code: 'spaces.exists',
  input: SpaceReference,
  output: SpaceExistence,
});
