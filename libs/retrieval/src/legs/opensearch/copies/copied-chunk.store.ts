import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';
import type { ChunkPlace, VanishingChunk } from './chunk-copies';

/** The fields of a document that the copies of its chunks contain. */
export interface CopiedDocument {
  readonly documentId: string;
  readonly revision: number;
  readonly entityCode: string;
  readonly locationAncestors: readonly string[];
  readonly typeCodes: readonly string[];
  readonly attributeCodes: readonly string[];
  readonly characteristicCodes: readonly string[];
}

/** A stored chunk with all fields of its copy. */
export interface CopiedChunk extends CopiedDocument, ChunkPlace {
  readonly indexId: number;
  readonly terms: string;
}

/** A copy in the engine with its version. */
export interface CopyVersion extends ChunkPlace {
  readonly version: number;
}

/** The position of a walk over the chunks of a group. */
export type Walked = Pick<CopiedChunk, 'documentId' | 'indexId' | 'generation' | 'ordinal'>;

export const BEGINNING: Walked = {
  documentId: '00000000-0000-0000-0000-000000000000',
  ...{ indexId: 0, generation: 0, ordinal: -1 },
};

const FACTS = `d.document_id as "documentId", d.revision, d.entity_code as "entityCode", d.location_ancestors as "locationAncestors",
  d.type_codes as "typeCodes", d.attribute_codes as "attributeCodes", d.characteristic_codes as "characteristicCodes"`;

/** Reads the rows that copies are made from. */
@Injectable()
export class CopiedChunkStore {
  /** Documents as currently described, withdrawn ones included. */
  documents(tx: Transaction, ids: readonly string[]): Promise<CopiedDocument[]> {
    return tx.query<CopiedDocument>(
      `select ${FACTS} from retrieval.document d where d.group_id = $1 and d.document_id = any($2::uuid[])`,
      [tx.groupId, ids],
    );
  }

  async revision(tx: Transaction, documentId: string): Promise<number | undefined> {
    return (await this.documents(tx, [documentId]))[0]?.revision;
  }

  /** Those of the given copies of one document whose chunk no embedding index contains, each with its version. */
  absent(tx: Transaction, documentId: string, copies: readonly CopyVersion[]): Promise<VanishingChunk[]> {
    const column = (pick: (copy: CopyVersion) => number): number[] => copies.map(pick);
    return tx.query<VanishingChunk>(
      `select $2::uuid as "documentId", hit.generation, hit.ordinal, hit.version as revision
       from unnest($3::int[], $4::int[], $5::int[]) as hit (generation, ordinal, version)
       where not exists (
         select from retrieval.bucket_catalogue b join retrieval.chunk c on c.bucket = b.bucket and c.group_id = b.group_id
         where b.group_id = $1 and c.document_id = $2 and c.generation = hit.generation and c.ordinal = hit.ordinal)`,
      [
        tx.groupId,
        documentId,
        column(({ generation }) => generation),
        column(({ ordinal }) => ordinal),
        column(({ version }) => version),
      ],
    );
  }

  /**
   * The next chunks of a group in the order of their key, of one document or of all; no chunks of withdrawn documents.
   */
  chunksAfter(tx: Transaction, walked: Walked, most: number, documentId: string | null = null): Promise<CopiedChunk[]> {
    return tx.query<CopiedChunk>(
      `select ${FACTS}, c.space_id as "indexId", c.generation, c.ordinal, c.terms
       from retrieval.bucket_catalogue b
       join retrieval.chunk c on c.bucket = b.bucket and c.group_id = b.group_id
       join retrieval.document d on d.group_id = c.group_id and d.document_id = c.document_id and not d.withdrawn
       where b.group_id = $1 and (c.document_id, c.space_id, c.generation, c.ordinal) > ($2::uuid, $3, $4, $5)
         and ($7::uuid is null or c.document_id = $7)
       order by c.document_id, c.space_id, c.generation, c.ordinal limit $6`,
      [tx.groupId, walked.documentId, walked.indexId, walked.generation, walked.ordinal, most, documentId],
    );
  }
}
