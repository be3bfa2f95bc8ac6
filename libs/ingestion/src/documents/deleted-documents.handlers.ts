import { Injectable } from '@nestjs/common';
import { type DeletedDocuments, type DocumentCodes, filterDeletedDocuments } from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import type { WorkScope } from '@acervo/rbac';

/** Answers which documents are deleted, for services that keep what was derived from them. */
@Injectable()
export class DeletedDocumentsHandlers {
  constructor(private readonly database: Database) {}

  @Handles(filterDeletedDocuments)
  async filter(scope: WorkScope, { codes }: DocumentCodes): Promise<DeletedDocuments> {
    const rows = await this.database.read(scope, (tx) =>
      tx.query<{ code: string }>(
        `select distinct asked.code from unnest($2::text[]) as asked (code) where not exists (
           select from ingestion.document d where d.group_id = $1 and d.code = asked.code and d.deleted_at is null)`,
        [tx.groupId, codes],
      ),
    );
    return { codes: rows.map(({ code }) => code).sort() };
  }
}
