import { call } from '../calls';
import { Choice, Code, Decimal, Flag, Int, ListOf, Text, TextList } from '../fields';
import { SearchRequest } from './search';

/** A search that also explains the rank of one document. */
export class ExplainRequest extends SearchRequest {
  @TextList({
    names: 'document',
    max: 100,
    length: 120,
    optional: true,
    description: 'Only these documents, ranked or not',
  })
  readonly documentCodes?: readonly string[];
}

/** One chunk as the legs rank it; ranks count the chunks of a leg from 1. */
export class ExplainedChunk {
  @Int({ description: 'Ordinal of the chunk in its document, from 0' }) readonly chunkNumber!: number;
  @Int({ min: 1, nullable: true, description: 'Rank by words, null where words do not find it' })
  readonly lexicalRank!: number | null;
  @Int({ min: 1, nullable: true, description: 'Rank by meaning, null beyond the depth of the leg' })
  readonly vectorRank!: number | null;
  @Decimal({ nullable: true, description: 'Cosine with the query, null beyond the depth of the leg' })
  readonly cosine!: number | null;
  @Decimal({ min: 0, description: 'Fused score' }) readonly score!: number;
}

/** Why an answer lacks a document: the limit, the least similarity, or no leg ranks it. */
export const removals = ['LIMIT', 'MIN_SIMILARITY', 'NOT_RANKED'] as const;
export type Removal = (typeof removals)[number];

export class ExplainedDocument {
  @Code({ description: 'Document code' }) readonly code!: string;
  @Text({ max: 1024, description: 'Document name' }) readonly name!: string;
  @Int({ min: 1, nullable: true, description: 'Place before anything was removed, null where no leg ranks it' })
  readonly rank!: number | null;
  @Decimal({ min: 0, description: 'Fused score: that of the best chunk; 0 where no leg ranks it' })
  readonly score!: number;
  @Choice(removals, { nullable: true, description: 'What removed the document, null where it is returned' })
  readonly removedBy!: Removal | null;
  @ListOf(() => ExplainedChunk, { max: 4000, description: 'Its chunks that a leg ranks, best first' })
  readonly chunks!: readonly ExplainedChunk[];
}

/** Something that was seen of a query, and that its weights follow from. */
export class ExplainedFeature {
  @Text({ max: 40, description: 'Name of the feature' }) readonly name!: string;
  @Decimal({ description: 'Its value; 1 for yes and 0 for no' }) readonly value!: number;
}

/** The share of one leg in a search. */
export class ExplainedLeg {
  @Choice(['lexical', 'vector'], { description: 'Leg' }) readonly leg!: 'lexical' | 'vector';
  @Flag({ description: 'False where the leg is down' }) readonly answered!: boolean;
  @Int({ description: 'Chunks that it ranked' }) readonly chunks!: number;
  @Decimal({ min: 0, description: 'Weight in the fusion' }) readonly weight!: number;
  @Decimal({ min: 0, description: 'Constant k of the fusion' }) readonly k!: number;
}

export class Explanation {
  @Text({
    max: 120,
    nullable: true,
    description: 'Embedding model of the searched index, null before the first document',
  })
  readonly model!: string | null;
  @Text({ max: 10_000, description: 'Terms that the query is looked up by' }) readonly terms!: string;
  @ListOf(() => ExplainedFeature, {
    max: 20,
    optional: true,
    description: 'What was seen of the query; the release before does not send it',
  })
  readonly features?: readonly ExplainedFeature[];
  @ListOf(() => ExplainedLeg, { max: 2, description: 'The legs' }) readonly legs!: readonly ExplainedLeg[];
  @ListOf(() => ExplainedDocument, { max: 4000, description: 'Every document that a leg ranks, best first' })
  readonly documents!: readonly ExplainedDocument[];
}

/** Explains how a search ranked its documents. Internal: no public route leads here. */
export const explainDocuments = call({
  code: 'documents.explain',
  owner: 'retrieval',
  effect: 'read',
  scope: 'user',
  callers: ['operations', 'standalone'],
  input: ExplainRequest,
  output: Explanation,
});
