import { call } from '../calls';
import { Code, Int, ListOf, Text } from '../fields';
import { DocumentReference } from './documents';

export class ListedChunk {
  @Int({ description: 'Ordinal of the chunk in its document, from 0' }) readonly chunkNumber!: number;
  @Int({ min: 1, nullable: true, description: 'Page, null when the source has no pages' }) readonly page!:
    number | null;
  @Text({ max: 100_000, description: 'The chunk' }) readonly text!: string;
}

export class DocumentChunks {
  @Code({ description: 'Document code' }) readonly documentCode!: string;
  @Int({ description: 'Chunks that the document has' }) readonly totalChunks!: number;
  @ListOf(() => ListedChunk, { max: 20, description: 'The first of them: never more than half' })
  readonly chunks!: readonly ListedChunk[];
}

/** The most chunks of a document that anybody gets by asking for the document alone. */
export const MOST_LISTED_CHUNKS = 20;

/**
 * The beginning of a document, chunk by chunk: the same for whoever asks however often, and never the whole. The rest is
 * found by asking for something. A document of one chunk lists none.
 */
export const getDocumentChunks = call({
  code: 'documents.get_chunks',
  owner: 'retrieval',
  effect: 'read',
  scope: 'user',
  callers: ['chat', 'operations'],
  input: DocumentReference,
  output: DocumentChunks,
});
