import { Injectable } from '@nestjs/common';
import { type DocumentCodes, filterStoredDocuments, type StoredDocuments } from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import type { WorkScope } from '@acervo/rbac';

/** Answers which documents are not deleted, for services that keep what was derived from them. */
@Injectable()
export class StoredDocumentsHandlers {
  constructor(private readonly database: Database) {}

  @Handles(filterStoredDocuments)
  async filter(scope: WorkScope, { codes }: DocumentCodes): Promise<StoredDocuments> {
    const rows = await this.database.read(scope, (tx) =>
      tx.query<{ code: string }>(
        `select d.code from ingestion.document d
         where d.group_id = $1 and d.code = any($2::text[]) and d.deleted_at is null`,
        [tx.groupId, codes],
      ),
    );
    return { codes: rows.map(({ code }) => code).sort() };
  }
}
