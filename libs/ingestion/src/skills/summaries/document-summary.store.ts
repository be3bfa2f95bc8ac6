import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';
import { DocumentEvents } from '../../document-state/document-events';
import type { MadeResult, SkillWork } from '../document-skill.store';

/** The summary of a document by a model, in the place of its best sentences. */
@Injectable()
export class DocumentSummaryStore {
  constructor(private readonly documentEvents: DocumentEvents) {}

  /**
   * Replaces the summary of a document that is handed over and still has the text of the result, and publishes it. The
   * document is locked before its work, as deletions do.
   */
  async replace(tx: Transaction, { documentId, skillCode }: SkillWork, made: MadeResult): Promise<void> {
    const { summary = null } = made.result;
    if (skillCode !== 'DOCUMENT-SUMMARY' || made.model === null || summary === null) return;
    const rows = await tx.prepared<{ documentId: string }>(
      `update ingestion.document d set summary = $4
       where d.group_id = $1 and d.document_id = $2 and d.text_object = $3 and d.summary is distinct from $4
         and d.deleted_at is null and d.handed_over is not null and d.status in ('FRAGMENTADO', 'VECTORIZADO')
       returning d.document_id as "documentId"`,
      [tx.groupId, documentId, made.textObject, summary],
    );
    await this.documentEvents.describe(
      tx,
      rows.map((row) => row.documentId),
    );
  }
}
