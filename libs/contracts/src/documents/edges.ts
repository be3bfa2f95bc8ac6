import { documentStatus, type DocumentStatus } from '@acervo/public-mapping';
import { call } from '../calls';
import { Code, Int, ListOf, Nested, OneOf, Text } from '../fields';
import { DocumentItem, DocumentReference } from './documents';

export class NeighborLimit {
  @Int({ min: 1, max: 500, default: 50, description: 'Most neighbours to return' }) readonly neighborLimit!: number;
}

export class EdgesRequest extends DocumentReference {
  @Int({ min: 1, max: 500, default: 50, description: 'Most neighbours to return' }) readonly neighborLimit!: number;
}

/** One step of a path, from the top down. */
export class PathStep {
  @Code({ description: 'Code' }) readonly code!: string;
  @Text({ max: 1024, description: 'Name' }) readonly name!: string;
}

/** A feature of a document, by the catalogue of the group. */
export class DocumentFeature {
  @Code({ description: 'Category of the feature' }) readonly categoryCode!: string;
  @Code({ description: 'Feature' }) readonly code!: string;
}

/** A document two steps away: both documents share a type, a folder or a feature. */
export class NeighborDocument {
  @Code({ description: 'Document code' }) readonly code!: string;
  @Text({ max: 1024, description: 'Document name' }) readonly name!: string;
  @OneOf(documentStatus, { description: 'State of the document' }) readonly status!: DocumentStatus;
  @Text({ max: 4096, description: 'Logical path of the original' }) readonly location!: string;
  @Code({ description: 'Code of the folder' }) readonly locationCode!: string;
  @Int({ min: 1, description: 'Folders, types and features that both documents share' }) readonly sharedEdges!: number;
}

export class DocumentEdges {
  @Nested(() => DocumentItem, { description: 'The document' }) readonly document!: DocumentItem;
  @ListOf(() => PathStep, {
    max: 20,
    description: 'Its type and the types above it, from the top down; documents have none so far',
  })
  readonly typePath!: readonly PathStep[];
  @ListOf(() => PathStep, { max: 200, description: 'Its folder and the visible folders above it, from the top down' })
  readonly locationPath!: readonly PathStep[];
  @ListOf(() => DocumentFeature, { max: 1000, description: 'Its features; documents have none so far' })
  readonly features!: readonly DocumentFeature[];
  @ListOf(() => NeighborDocument, {
    max: 500,
    description: 'Visible documents that share a folder, a type or a feature',
  })
  readonly neighborsTwoHops!: readonly NeighborDocument[];
}

/** The neighbours of a document, and what else they connect. */
export const getDocumentEdges = call({
  code: 'documents.get_edges',
  owner: 'ingestion',
  effect: 'read',
  scope: 'user',
  callers: ['gateway', 'chat', 'operations'],
  input: EdgesRequest,
  output: DocumentEdges,
});
