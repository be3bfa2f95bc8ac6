import { Int, ListOf, Text } from '../fields';

/** One chunk as ingestion prepares it for the indexes. `text` equals the extracted text at [start, end). */
export class PreparedChunk {
  @Int({ description: 'Ordinal in the document, from 0' }) readonly ordinal!: number;
  @Int({ min: 1, nullable: true, description: 'Page' }) readonly page!: number | null;
  @Int({ description: 'First character in the extracted text' }) readonly start!: number;
  @Int({ description: 'Character after the last one' }) readonly end!: number;
  @Text({ max: 100_000, description: 'The chunk' }) readonly text!: string;
  @Text({ max: 4000, description: 'Headings above the chunk; indexed and embedded, never shown as text' })
  readonly context!: string;
  @Text({ max: 12, description: 'Language of the chunk' }) readonly language!: string;
}

/**
 * The chunks object of a hand-over: this class as JSON. The vectors object beside it is binary: little-endian float32,
 * `dimension` numbers for each chunk, in the order of the ordinals.
 */
export class PreparedChunks {
  @ListOf(() => PreparedChunk, { max: 1_000_000, description: 'Chunks in order' })
  readonly chunks!: readonly PreparedChunk[];
}
