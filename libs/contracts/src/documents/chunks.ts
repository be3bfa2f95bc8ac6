import { Code, Int, ListOf, Text } from '../fields';
import { operation } from '../operation';
import { DocumentReference } from './documents';

export class ListedChunk {
  @Int({ description: 'Ordinal of the chunk in its document, from 0' }) readonly chunkNumber!: number;
  @Int({ min: 1, nullable: true, description: 'Page, null when the source has no pages' }) readonly page!:
    number | null;
  @Text({ max: 100_000, description: 'The chunk, or its beginning' }) readonly text!: string;
}

export class DocumentChunks {
  @Code({ description: 'Document code' }) readonly documentCode!: string;
  @Int({ description: 'Chunks that the document has; 0 while it is not searchable' }) readonly totalChunks!: number;
  @ListOf(() => ListedChunk, { max: 20, description: 'The first of them: never the whole document' })
  readonly chunks!: readonly ListedChunk[];
}

/** The largest number of chunks that a list of one document returns. */
export const MOST_LISTED_CHUNKS = 20;

/** The first chunks of a document: the same in every answer, and never the whole document (ADR 19). */
export const getDocumentChunks = operation({
  code: 'documents.get_chunks',
  owner: 'retrieval',
  callers: ['chat'],
  kind: 'read',
  profile: 'USUARIO',
  screens: ['DOCUMENTS'],
  summary: 'Show how a document begins, chunk by chunk: never the whole, and nothing before it is searchable.',
  input: DocumentReference,
  output: DocumentChunks,
});
