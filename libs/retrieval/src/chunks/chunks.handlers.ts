import { Injectable } from '@nestjs/common';
import {
  type DocumentChunks,
  type DocumentReference,
  getDocument,
  getDocumentChunks,
  MOST_LISTED_CHUNKS,
} from '@acervo/contracts';
import { Calls, Handles } from '@acervo/platform-calls';
import { Database, type Transaction } from '@acervo/platform-database';
import { type Scope, visibilityOf, visibilitySql, type Visibility } from '@acervo/rbac';
import { type LiveEmbeddingIndex, EmbeddingIndexStore } from '../embedding-indexes/embedding-index.store';
import { charactersSql } from '../excerpts/document-size';
import type { DocumentSize } from '../excerpts/excerpt-rule';
import { ExcerptService, type FullChunk, type FullDocument } from '../excerpts/excerpt.service';

/** A live document with its searched generation. */
interface LiveDocument extends DocumentSize {
  readonly documentId: string;
  readonly generation: number;
}

interface ReadChunk extends FullChunk {
  readonly ordinal: number;
  readonly page: number | null;
}

/** Shows the first chunks of documents. */
@Injectable()
export class ChunksHandlers {
  constructor(
    private readonly database: Database,
    private readonly embeddingIndexes: EmbeddingIndexStore,
    private readonly excerpts: ExcerptService,
    private readonly calls: Calls,
  ) {}

  /**
   * The list is empty for a document that is not searchable: ingestion knows it, and there are no chunks yet.
   * @throws NotFound for a document that is absent or invisible
   */
  @Handles(getDocumentChunks)
  async get(scope: Scope, { documentCode }: DocumentReference): Promise<DocumentChunks> {
    const visibility = visibilityOf(scope);
    const document = await this.database.read(visibility, (tx) => this.read(tx, visibility, documentCode));
    if (document === undefined) {
      await this.calls.send(getDocument, scope, { documentCode });
      return { documentCode, totalChunks: 0, chunks: [] };
    }
    const excerpts = this.excerpts.beginning(scope, document);
    return {
      documentCode,
      totalChunks: document.size.chunkCount,
      chunks: excerpts.map(({ chunk, text }) => ({ chunkNumber: chunk.ordinal, page: chunk.page, text })),
    };
  }

  private async read(
    tx: Transaction,
    visibility: Visibility,
    code: string,
  ): Promise<FullDocument<ReadChunk> | undefined> {
    const embeddingIndex = await this.embeddingIndexes.live(tx);
    const live = embeddingIndex && (await this.live(tx, visibility, embeddingIndex, code));
    if (embeddingIndex === undefined || live === undefined) return undefined;
    const { documentId, chunkCount, characters } = live;
    return { documentId, size: { chunkCount, characters }, chunks: await this.chunks(tx, embeddingIndex, live) };
  }

  private async live(
    tx: Transaction,
    visibility: Visibility,
    { bucket, indexId }: LiveEmbeddingIndex,
    code: string,
  ): Promise<LiveDocument | undefined> {
    const visible = visibilitySql(visibility, 'd', 5);
    const [row] = await tx.query<LiveDocument>(
      `select d.document_id as "documentId", l.generation, l.chunk_count as "chunkCount",
         ${charactersSql('$3::int', '$4::uuid', '$2::int')} as characters
       from retrieval.document d
       join retrieval.live l on l.group_id = d.group_id and l.document_id = d.document_id and l.space_id = $2::int
       where d.code collate "C" = $1 and not d.withdrawn and ${visible.sql}`,
      [code, indexId, bucket, tx.groupId, ...visible.params],
    );
    return row;
  }

  private chunks(
    tx: Transaction,
    { bucket, indexId }: LiveEmbeddingIndex,
    { documentId, generation }: LiveDocument,
  ): Promise<ReadChunk[]> {
    return tx.query<ReadChunk>(
      `select ordinal, page, text, language, start_at as start from retrieval.chunk
       where bucket = $1 and group_id = $2 and space_id = $3 and document_id = $4 and generation = $5 and ordinal < $6
       order by ordinal`,
      [bucket, tx.groupId, indexId, documentId, generation, MOST_LISTED_CHUNKS],
    );
  }
}
