import type { Transaction } from '@acervo/platform-database';
import type { ChunkPlace } from './chunk-copies';

/** What the copies of a document's chunks say of the document. */
export interface CopiedDocument {
  readonly documentId: string;
  readonly revision: number;
  readonly entityCode: string;
  readonly locationAncestors: readonly string[];
}

/** A stored chunk with all that its copy says. */
export interface CopiedChunk extends CopiedDocument, ChunkPlace {
  readonly spaceId: number;
  readonly terms: string;
}

/** Where a walk over the chunks of a group stands. */
export type Walked = Pick<CopiedChunk, 'documentId' | 'spaceId' | 'generation' | 'ordinal'>;

export const BEGINNING: Walked = {
  documentId: '00000000-0000-0000-0000-000000000000',
  ...{ spaceId: 0, generation: 0, ordinal: -1 },
};

const FACTS = `d.document_id as "documentId", d.revision, d.entity_code as "entityCode", d.location_ancestors as "locationAncestors"`;

/** Reads what copies are made from. */
export class CopiedChunkStore {
  /** Documents as they are known now, withdrawn ones included. */
  documents(tx: Transaction, ids: readonly string[]): Promise<CopiedDocument[]> {
    return tx.query<CopiedDocument>(
      `select ${FACTS} from retrieval.document d where d.group_id = $1 and d.document_id = any($2::uuid[])`,
      [tx.groupId, ids],
    );
  }

  async revision(tx: Transaction, documentId: string): Promise<number | undefined> {
    return (await this.documents(tx, [documentId]))[0]?.revision;
  }

  /** The next chunks of a group in the order of their key, of one document or of all; none of withdrawn documents. */
  chunksAfter(tx: Transaction, walked: Walked, most: number, documentId: string | null = null): Promise<CopiedChunk[]> {
    return tx.query<CopiedChunk>(
      `select ${FACTS}, c.space_id as "spaceId", c.generation, c.ordinal, c.terms
       from retrieval.bucket_catalogue b
       join retrieval.chunk c on c.bucket = b.bucket and c.group_id = b.group_id
       join retrieval.document d on d.group_id = c.group_id and d.document_id = c.document_id and not d.withdrawn
       where b.group_id = $1 and (c.document_id, c.space_id, c.generation, c.ordinal) > ($2::uuid, $3, $4, $5)
         and ($7::uuid is null or c.document_id = $7)
       order by c.document_id, c.space_id, c.generation, c.ordinal limit $6`,
      [tx.groupId, walked.documentId, walked.spaceId, walked.generation, walked.ordinal, most, documentId],
    );
  }
}
