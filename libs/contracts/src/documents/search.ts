import { call } from '../calls';
import { Code, Decimal, Flag, Fraction, Int, ListOf, Meaningful, Nested, Text, TextList } from '../fields';
import { FileHints } from './file-hints';

/**
 * Narrows a search to documents that carry a code of each list. An absent or empty list narrows nothing, and an unknown
 * code matches nothing. The codes are those of `/v1/catalog`.
 */
export class SearchFilter {
  @TextList({
    max: 100,
    length: 120,
    optional: true,
    description: 'Codes of document types, any of them; a type includes the types below it',
  })
  readonly documentTypes?: readonly string[];
  @TextList({ max: 100, length: 120, optional: true, description: 'Codes of features with a value, any of them' })
  readonly attributes?: readonly string[];
  @TextList({ max: 100, length: 120, optional: true, description: 'Codes of features without a value, any of them' })
  readonly characteristics?: readonly string[];
}

export class SearchRequest {
  @Meaningful({ max: 4000, description: 'What to look for, in any language' }) readonly query!: string;
  @Int({ min: 1, max: 100, default: 10, description: 'Most documents to return' }) readonly limit!: number;
  @Fraction({ default: 0, description: 'Least vector similarity of the best chunk of a document' })
  readonly minSimilarity!: number;
  @Code({ names: 'entity', optional: true, description: 'One of the caller’s own entities' })
  readonly entityCode?: string;
  @Int({ min: 1, names: 'space', optional: true, description: 'Restricts the search to a space that the caller sees' })
  readonly spaceId?: number;
  @Code({
    names: 'location',
    optional: true,
    description: 'Restricts the search to a visible folder and its descendants',
  })
  readonly locationCode?: string;
  @Nested(() => SearchFilter, {
    optional: true,
    description: 'Codes that the documents must carry: one of each list; unknown codes match nothing',
  })
  readonly filter?: SearchFilter;
}

export class ChunkExtra {
  @Fraction({ nullable: true, description: 'Vector similarity, null where the chunk was found by words alone' })
  readonly similarity!: number | null;
  @Int({ description: 'Ordinal of the chunk in its document, from 0' }) readonly chunkNumber!: number;
  @Flag({
    optional: true,
    description: 'Whether the document is searched by meaning yet; false while its vectors are to come',
  })
  readonly embedded?: boolean;
}

export class FoundChunk {
  @Text({ max: 100_000, description: 'A passage of the chunk, literally as it stands in the document' })
  readonly text!: string;
  @Int({ min: 1, nullable: true, description: 'Page, null when the source has no pages' }) readonly page!:
    number | null;
  @Nested(() => ChunkExtra, { description: 'Where and how well the chunk matched' }) readonly extra!: ChunkExtra;
}

export class FoundDocument {
  @Code({ description: 'Document code' }) readonly code!: string;
  @Text({ max: 1024, description: 'Document name' }) readonly name!: string;
  @Text({ max: 4000, description: 'Summary' }) readonly summary!: string;
  @Text({ max: 4096, description: 'Logical path of the original' }) readonly location!: string;
  @Text({ max: 4096, description: 'Opens the document in the web application' }) readonly url!: string;
  @Decimal({ min: 0, description: 'Hybrid rank score: that of the best chunk' }) readonly rrfScore!: number;
  @Fraction({ nullable: true, description: 'Best vector similarity among its chunks' })
  readonly maxSimilarity!: number | null;
  @Decimal({ nullable: true, description: 'Always null: search does not rerank' }) readonly rerankScore!: number | null;
  @ListOf(() => FoundChunk, { max: 5, description: 'Most relevant passages, best first; never the whole document' })
  readonly chunks!: readonly FoundChunk[];
  @Nested(() => FileHints, { description: 'Where the original can be opened' }) readonly fs!: FileHints;
}

export class SearchResult {
  @ListOf(() => FoundDocument, { max: 100, description: 'Documents, best first' })
  readonly documents!: readonly FoundDocument[];
  @Int({ description: 'Number of documents returned' }) readonly totalDocuments!: number;
  @Int({ description: 'Number of passages returned' }) readonly totalChunks!: number;
  @Decimal({ min: 0, description: 'Time that the search took, in milliseconds' }) readonly durationMs!: number;
}

export const searchDocuments = call({
  code: 'documents.search',
  owner: 'retrieval',
  effect: 'read',
  scope: 'user',
  callers: ['gateway', 'chat', 'operations'],
  input: SearchRequest,
  output: SearchResult,
});

/**
 * The same search with each chunk and summary in full. What leaves Acervo comes from `documents.search`: chat shows
 * its passages, also where an answer quotes (ADR 19).
 */
export const searchPassages = call({
  code: 'documents.passages',
  owner: 'retrieval',
  effect: 'read',
  scope: 'user',
  callers: ['chat', 'ingestion'],
  input: SearchRequest,
  output: SearchResult,
});
