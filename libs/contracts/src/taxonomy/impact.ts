import { Choice, Code, Int, ListOf, Text } from '../fields';
import { operation } from '../operation';
import { BoundaryUpdate } from './boundaries';

/** Documents that a boundary moves. */
export class Movement {
  @Int({ description: 'Documents that would get the type' }) readonly enter!: number;
  @Int({ description: 'Documents that would lose it' }) readonly leave!: number;
  @Int({ description: 'Documents that would keep it' }) readonly keep!: number;
}

export class EntityMovement extends Movement {
  @Code({ description: 'Entity' }) readonly entityCode!: string;
}

export class ImpactExample {
  @Code({ description: 'Document code' }) readonly documentCode!: string;
  @Text({ max: 1024, description: 'Document name' }) readonly name!: string;
  @Choice(['ENTER', 'LEAVE', 'KEEP'], { publicly: 'same', description: 'What would happen to it' })
  readonly movement!: 'ENTER' | 'LEAVE' | 'KEEP';
}

export class BoundaryImpact extends Movement {
  @Code({ names: 'document_type', description: 'Code of the document type' }) readonly documentTypeCode!: string;
  @Int({ description: 'Visible documents that have a text' }) readonly documents!: number;
  @Int({ description: 'How many of them were tried; all of them unless there are too many for one answer' })
  readonly examined!: number;
  @ListOf(() => EntityMovement, { max: 1000, description: 'The same counts for each entity with such documents' })
  readonly entities!: readonly EntityMovement[];
  @ListOf(() => ImpactExample, { max: 10, description: 'Documents that would move, then documents that would stay' })
  readonly examples!: readonly ImpactExample[];
}

/**
 * Tries the stored boundary, with the changes of the input, on the visible documents. Nothing is stored.
 * @throws NotFound for a type or an example that is absent or invisible, and what `setBoundary` refuses examples by
 */
export const getBoundaryImpact = operation({
  code: 'document_types.get_impact',
  owner: 'ingestion',
  kind: 'read',
  profile: 'ADMINISTRADOR',
  screens: ['DOC_FEATURE_CATEGORIES'],
  summary: 'Count the visible documents that would enter, leave and keep a type under its boundary or another one.',
  deadlineMs: 30_000,
  input: BoundaryUpdate,
  output: BoundaryImpact,
});
