import { documentOrigin, type DocumentOrigin } from '@acervo/public-mapping';
import { event } from '../events';
import { Code, Decimal, Flag, Int, ListOf, Moment, OneOf, Text, TextList, Uuid } from '../fields';

/** The first fields of every event about a document. A later revision replaces an earlier one. */
export class DocumentFact {
  @Uuid({ description: 'Document' }) readonly documentId!: string;
  @Int({ min: 1, description: 'Rises with every event about the document' }) readonly revision!: number;
}

/** Name, place and summary of a document: everything that retrieval shows and filters by. */
export class DocumentDescribed extends DocumentFact {
  @Code({ description: 'Document code' }) readonly code!: string;
  @Text({ max: 1024, description: 'Document name' }) readonly name!: string;
  @Text({ max: 1024, nullable: true, description: 'Title that the text gives itself' }) readonly title!: string | null;
  @Text({ max: 4000, description: 'Summary' }) readonly summary!: string;
  @Code({ names: 'entity', description: 'Entity' }) readonly entityCode!: string;
  @Code({ names: 'location', description: 'Folder' }) readonly locationCode!: string;
  @TextList({ max: 200, length: 120, description: 'Folder and all folders above it' })
  readonly locationAncestors!: readonly string[];
  @Text({ max: 200, nullable: true, description: 'Environment variable of the local root' })
  readonly homeVar!: string | null;
  @Text({ max: 4096, description: 'Path relative to the root' }) readonly relativePath!: string;
  @Text({ max: 4096, description: 'Logical path' }) readonly path!: string;
  @OneOf(documentOrigin, { description: 'Where the original lives' }) readonly origin!: DocumentOrigin;
  @Text({ max: 2_048, nullable: true, optional: true, description: 'Address of its web page; null for a file' })
  readonly url?: string | null;
  @TextList({ max: 8, length: 120, optional: true, description: 'Its type behind all types above it' })
  readonly typeCodes?: readonly string[];
  @TextList({ max: 1_000, length: 120, optional: true, description: 'Codes of its features that have a value' })
  readonly attributes?: readonly string[];
  @TextList({ max: 1_000, length: 120, optional: true, description: 'Codes of its features that are there or not' })
  readonly characteristics?: readonly string[];
  @Text({ max: 12, nullable: true, optional: true, description: 'Language of the text' })
  readonly language?: string | null;
  @Moment({ optional: true, description: 'When the content was last seen to change' }) readonly changedAt?: string;
}

/** The embedding model that passages and queries must share. */
export class EmbeddingModelKey {
  @Text({ max: 120, description: 'Model' }) readonly model!: string;
  @Text({ max: 120, description: 'Revision of the model' }) readonly revision!: string;
  @Int({ min: 1, max: 4096, description: 'Dimension of its vectors' }) readonly dimension!: number;
  @Decimal({ description: 'Mean cosine of unrelated passages' }) readonly floor!: number;
}

/** Chunks and vectors of one generation lie in the object store, ready to be indexed. */
export class DocumentPrepared extends DocumentDescribed {
  @Int({ min: 1, description: 'Rises when content or settings change' }) readonly generation!: number;
  @Text({ max: 512, description: 'Object that holds the chunks' }) readonly chunksObject!: string;
  @Text({ max: 512, nullable: true, description: 'Object that holds the vectors; null while they are still to come' })
  readonly vectorsObject!: string | null;
  @Int({ description: 'Number of chunks' }) readonly chunkCount!: number;
  @ListOf(() => EmbeddingModelKey, {
    max: 1,
    description: 'The model of the vectors; its embedding index receives the chunks',
  })
  readonly embedding!: readonly EmbeddingModelKey[];
  @Flag({ optional: true, description: 'Chunks of this generation that are loaded already are made again' })
  readonly anew?: boolean;
  @Flag({
    optional: true,
    description: 'Urgent: it just arrived, alone or with a few others, and precedes the backlog',
  })
  readonly urgent?: boolean;
}

/** The document left its place or was deleted: it leaves search at once. */
export class DocumentWithdrawn extends DocumentFact {}

/**
 * The content of a document is gone: a user deleted it, or its file was missing for so long that its results were
 * released. What was derived from it goes too.
 */
export class DocumentDeleted extends DocumentFact {
  @Code({ description: 'Document code' }) readonly code!: string;
}

/**
 * Vectors of a generation that is handed over already, for the embedding index of its hand-over. They lie in the object
 * store; its words are not loaded again.
 */
export class DocumentEmbedded extends DocumentFact {
  @Int({ min: 1, description: 'Generation of the chunks' }) readonly generation!: number;
  @Text({ max: 512, description: 'Object that holds the vectors' }) readonly vectorsObject!: string;
  @Int({ description: 'Number of chunks' }) readonly chunkCount!: number;
  @ListOf(() => EmbeddingModelKey, { max: 1, description: 'The model of the vectors' })
  readonly embedding!: readonly EmbeddingModelKey[];
  @Flag({ optional: true, description: 'Urgent, as its hand-over was' }) readonly urgent?: boolean;
}

/** One generation of a document is live: in the lexical leg, and in the vector leg once its vectors are loaded. */
export class DocumentIndexed extends DocumentFact {
  @Int({ min: 1, description: 'Generation that is live now' }) readonly generation!: number;
  @Int({ description: 'Number of chunks' }) readonly chunkCount!: number;
  @Flag({ default: true, description: 'Live in the vector leg too; otherwise in the lexical leg only' })
  readonly hasVectors!: boolean;
}

/** Indexing gave up on a generation of a document. */
export class DocumentIndexingFailed extends DocumentFact {
  @Int({ min: 1, description: 'Generation that failed' }) readonly generation!: number;
  @Text({ max: 500, description: 'Why' }) readonly reason!: string;
  @Flag({ default: false, description: 'A retry without a repair would fail again' })
  readonly isFinal!: boolean;
}

/** A document with a type was handed over, or its type changed. Not in order with the other events. */
export class DocumentClassified {
  @Uuid({ description: 'Document' }) readonly documentId!: string;
  @Code({ description: 'Document code' }) readonly code!: string;
  @Code({ names: 'entity', description: 'Entity' }) readonly entityCode!: string;
  @TextList({ max: 8, length: 120, description: 'Its type behind all types above it' })
  readonly typeCodes!: readonly string[];
}

const ingestionFact = { producer: 'ingestion', subscribers: ['retrieval'] } as const;
const retrievalFact = { producer: 'retrieval', subscribers: ['ingestion'] } as const;
const byDocument = ({ documentId }: Pick<DocumentFact, 'documentId'>): string => documentId;

export const documentDescribed = event({
  ...ingestionFact,
  topic: 'document.described.v1',
  payload: DocumentDescribed,
  key: byDocument,
});
export const documentPrepared = event({
  ...ingestionFact,
  topic: 'document.prepared.v1',
  payload: DocumentPrepared,
  key: byDocument,
});
export const documentEmbedded = event({
  ...ingestionFact,
  topic: 'document.embedded.v1',
  payload: DocumentEmbedded,
  key: byDocument,
});
export const documentWithdrawn = event({
  ...ingestionFact,
  topic: 'document.withdrawn.v1',
  payload: DocumentWithdrawn,
  key: byDocument,
});
export const documentDeleted = event({
  producer: 'ingestion',
  subscribers: ['chat'],
  topic: 'document.deleted.v1',
  payload: DocumentDeleted,
  key: byDocument,
});
export const documentIndexed = event({
  ...retrievalFact,
  topic: 'document.indexed.v1',
  payload: DocumentIndexed,
  key: byDocument,
});
export const documentIndexingFailed = event({
  ...retrievalFact,
  topic: 'document.indexing_failed.v1',
  payload: DocumentIndexingFailed,
  key: byDocument,
});
/** Starts what the group does with documents of the type. */
export const documentClassified = event({
  topic: 'document.classified.v1',
  producer: 'ingestion',
  subscribers: ['operations'],
  payload: DocumentClassified,
  key: byDocument,
});
