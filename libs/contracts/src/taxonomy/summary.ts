import { documentStatus, type DocumentStatus } from '@acervo/public-mapping';
import { Code, Int, ListOf, OneOf, Text } from '../fields';
import { operation } from '../operation';

export class TypeSummaryRequest {
  @Code({ names: 'entity', optional: true, description: 'Only documents of this entity' })
  readonly entityCode?: string;
}

export class TypeCount {
  @Code({ description: 'Entity' }) readonly entityCode!: string;
  @Code({ nullable: true, description: 'Document type; null for documents without one' }) readonly typeCode!:
    string | null;
  @Text({ max: 1024, nullable: true, description: 'Name of the type' }) readonly typeName!: string | null;
  @OneOf(documentStatus, { description: 'State of the documents' }) readonly status!: DocumentStatus;
  @Int({ min: 1, description: 'Visible documents of this type and state' }) readonly documents!: number;
}

export class TypeSummary {
  @ListOf(() => TypeCount, { max: 10_000, description: 'By entity, type and state; without entries of zero' })
  readonly counts!: readonly TypeCount[];
  @Int({ description: 'All of them' }) readonly total!: number;
}

export const summariseTypes = operation({
  code: 'document_types.summary_by_entity',
  owner: 'ingestion',
  kind: 'read',
  profile: 'ADMINISTRADOR',
  screens: ['GROUP_DOCUMENT_TYPES'],
  summary: 'Count the visible documents of each entity by type and state.',
  input: TypeSummaryRequest,
  output: TypeSummary,
});
