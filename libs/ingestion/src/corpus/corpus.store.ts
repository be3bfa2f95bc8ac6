import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';

/** Pages of the documents of a group. */
@Injectable()
export class CorpusStore {
  /** Pages of live documents by entity: those that are there, and whose text was read. */
  async pagesByEntity(tx: Transaction): Promise<ReadonlyMap<string, number>> {
    const rows = await tx.query<{ entityCode: string; pages: number }>(
      `select entity_code as "entityCode", sum(pages)::float8 as pages from ingestion.document
       where group_id = $1 and deleted_at is null and status not in ('NO_ENCONTRADO', 'NO_SOPORTADO') and pages > 0
       group by entity_code`,
      [tx.groupId],
    );
    return new Map(rows.map(({ entityCode, pages }) => [entityCode, pages]));
  }
}
