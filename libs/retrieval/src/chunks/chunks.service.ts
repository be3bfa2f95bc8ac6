import { Injectable } from '@nestjs/common';
import {
  type DocumentChunks,
  type DocumentReference,
  getDocumentChunks,
  type ListedChunk,
  MOST_LISTED_CHUNKS,
  NotFound,
} from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import { Database, type Transaction } from '@acervo/platform-database';
import { type Scope, type Visibility, visibilityOf, visibilitySql } from '@acervo/rbac';
import { type LiveEmbeddingIndex, EmbeddingIndexStore } from '../embedding-indexes/embedding-index.store';

/** A live document with its searched generation. */
interface LiveDocument {
  readonly documentId: string;
  readonly generation: number;
  readonly chunkCount: number;
}

/** How many chunks of a document are shown without a query: at most half, so never the whole text. */
export const listedChunks = (chunkCount: number): number => Math.min(MOST_LISTED_CHUNKS, Math.floor(chunkCount / 2));

/** Shows the first chunks of documents. */
@Injectable()
export class ChunksService {
  constructor(
    private readonly database: Database,
    private readonly embeddingIndexes: EmbeddingIndexStore,
  ) {}

  /** @throws NotFound for a document that is absent, invisible or not searchable. */
  @Handles(getDocumentChunks)
  async get(scope: Scope, { documentCode }: DocumentReference): Promise<DocumentChunks> {
    const visibility = visibilityOf(scope);
    return this.database.read(visibility, async (tx) => {
      const embeddingIndex = await this.embeddingIndexes.live(tx);
      const live = embeddingIndex && (await this.live(tx, visibility, embeddingIndex, documentCode));
      if (embeddingIndex === undefined || live === undefined) throw new NotFound();
      const chunks = await this.chunks(tx, embeddingIndex, live);
      return { documentCode, totalChunks: live.chunkCount, chunks };
    });
  }

  private async live(
    tx: Transaction,
    visibility: Visibility,
    embeddingIndex: LiveEmbeddingIndex,
    code: string,
  ): Promise<LiveDocument | undefined> {
    const visible = visibilitySql(visibility, 'd', 3);
    const [row] = await tx.query<LiveDocument>(
      `select d.document_id as "documentId", l.generation, l.chunk_count as "chunkCount" from retrieval.document d
       join retrieval.live l on l.group_id = d.group_id and l.document_id = d.document_id and l.space_id = $2
       where d.code = $1 and not d.withdrawn and ${visible.sql}`,
      [code, embeddingIndex.indexId, ...visible.params],
    );
    return row;
  }

  private chunks(tx: Transaction, embeddingIndex: LiveEmbeddingIndex, live: LiveDocument): Promise<ListedChunk[]> {
    return tx.query<ListedChunk>(
      `select ordinal as "chunkNumber", page, text from retrieval.chunk
       where bucket = $1 and group_id = $2 and space_id = $3 and document_id = $4 and generation = $5 and ordinal < $6
       order by ordinal`,
      [
        embeddingIndex.bucket,
        tx.groupId,
        embeddingIndex.indexId,
        live.documentId,
        live.generation,
        listedChunks(live.chunkCount),
      ],
    );
  }
}
