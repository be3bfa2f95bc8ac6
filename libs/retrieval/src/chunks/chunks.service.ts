import {
  type DocumentChunks,
  type DocumentReference,
  getDocumentChunks,
  type ListedChunk,
  MOST_LISTED_CHUNKS,
  NotFound,
} from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import type { Database, Transaction } from '@acervo/platform-database';
import { type Scope, type Visibility, visibilityOf, visibilitySql } from '@acervo/rbac';
import type { LiveSpace, SpaceStore } from '../spaces/space.store';

/** A live document with the generation of it that is searched. */
interface LiveDocument {
  readonly documentId: string;
  readonly generation: number;
  readonly chunkCount: number;
}

/** How many chunks of a document are shown without a question: half of them at most, so never the whole of its text. */
export const listedChunks = (chunkCount: number): number => Math.min(MOST_LISTED_CHUNKS, Math.floor(chunkCount / 2));

/** Shows how documents begin. */
export class ChunksService {
  constructor(
    private readonly database: Database,
    private readonly spaces: SpaceStore,
  ) {}

  /** @throws NotFound for a document that is absent, invisible or not searchable. */
  @Handles(getDocumentChunks)
  async get(scope: Scope, { documentCode }: DocumentReference): Promise<DocumentChunks> {
    const visibility = visibilityOf(scope);
    return this.database.read(visibility, async (tx) => {
      const space = await this.spaces.live(tx);
      const live = space && (await this.live(tx, visibility, space, documentCode));
      if (space === undefined || live === undefined) throw new NotFound();
      const chunks = await this.chunks(tx, space, live);
      return { documentCode, totalChunks: live.chunkCount, chunks };
    });
  }

  private async live(
    tx: Transaction,
    visibility: Visibility,
    space: LiveSpace,
    code: string,
  ): Promise<LiveDocument | undefined> {
    const visible = visibilitySql(visibility, 'd', 3);
    const [row] = await tx.query<LiveDocument>(
      `select d.document_id as "documentId", l.generation, l.chunk_count as "chunkCount" from retrieval.document d
       join retrieval.live l on l.group_id = d.group_id and l.document_id = d.document_id and l.space_id = $2
       where d.code = $1 and not d.withdrawn and ${visible.sql}`,
      [code, space.spaceId, ...visible.params],
    );
    return row;
  }

  private chunks(tx: Transaction, space: LiveSpace, live: LiveDocument): Promise<ListedChunk[]> {
    return tx.query<ListedChunk>(
      `select ordinal as "chunkNumber", page, text from retrieval.chunk
       where bucket = $1 and group_id = $2 and space_id = $3 and document_id = $4 and generation = $5 and ordinal < $6
       order by ordinal`,
      [space.bucket, tx.groupId, space.spaceId, live.documentId, live.generation, listedChunks(live.chunkCount)],
    );
  }
}
