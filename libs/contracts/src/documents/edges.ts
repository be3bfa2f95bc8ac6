import { documentStatus, type DocumentStatus } from '@acervo/public-mapping';
import { call } from '../calls';
import { Choice, Code, Fraction, Int, ListOf, Nested, OneOf, Text } from '../fields';
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

/** Where a feature was found in the extracted text, to the letter. */
export class FeatureEvidence {
  @Int({ min: 1, nullable: true, description: 'Page, null when the source has no pages' }) readonly page!:
    number | null;
  @Int({ description: 'First character of the range, in UTF-16 units from 0' }) readonly startAt!: number;
  @Int({ description: 'Character after the range' }) readonly endAt!: number;
  @Text({ max: 4_096, description: 'The text of the range' }) readonly quote!: string;
}

/** Who found a feature: a rule of the taxonomy, or a chat model. */
export const featureSources = ['RULE', 'MODEL'] as const;
export type FeatureSource = (typeof featureSources)[number];

/** A feature of a document, by the taxonomy of the group. */
export class DocumentFeature {
  @Code({ description: 'Category of the feature' }) readonly categoryCode!: string;
  @Code({ description: 'Feature' }) readonly code!: string;
  @Text({ max: 200, optional: true, description: 'Name of the feature' }) readonly name?: string;
  @Text({
    max: 4_096,
    optional: true,
    nullable: true,
    description: 'Canonical value: an ISO date, a decimal number, an amount with its currency; null without a value',
  })
  readonly value?: string | null;
  @Choice(featureSources, { optional: true, publicly: 'same', description: 'Who found it' })
  readonly source?: FeatureSource;
  @Fraction({ optional: true, description: 'Confidence' }) readonly confidence?: number;
  @Nested(() => FeatureEvidence, { optional: true, description: 'Where it was found' })
  readonly evidence?: FeatureEvidence;
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
    description: 'Its type and the types above it, from the top down; empty without a type',
  })
  readonly typePath!: readonly PathStep[];
  @ListOf(() => PathStep, { max: 200, description: 'Its folder and the visible folders above it, from the top down' })
  readonly locationPath!: readonly PathStep[];
  @ListOf(() => DocumentFeature, { max: 1000, description: 'Its features, with where they were found' })
  readonly features!: readonly DocumentFeature[];
  @ListOf(() => NeighborDocument, {
    max: 500,
    description: 'Visible documents that share a folder, a type or a feature; those with more and rarer ones first',
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
