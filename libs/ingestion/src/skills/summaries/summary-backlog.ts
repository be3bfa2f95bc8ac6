import { Injectable } from '@nestjs/common';
import { ChatModel } from '@acervo/models/chat';
import type { Transaction } from '@acervo/platform-database';
import { IngestionConfig } from '../../ingestion.config';
import { BackgroundRuns } from '../../background-runs/background-runs';

/** Has a model summarise documents once they are handed over. Nothing waits for it. */
@Injectable()
export class SummaryBacklog {
  constructor(
    private readonly model: ChatModel,
    private readonly config: IngestionConfig,
    private readonly runs: BackgroundRuns,
  ) {}

  /**
   * Queues the summaries of documents that are handed over; answers the stages that got tasks. Whether the group permits
   * a model is asked when they are worked on: this transaction waits for no other service.
   */
  follow(tx: Transaction, documentIds: readonly string[]): Promise<readonly string[]> {
    if (!this.model.isConfigured || !this.config.chatSummaries || documentIds.length === 0) return Promise.resolve([]);
    const sql = `select id as document_id, $3 as skill_code from unnest($2::uuid[]) id`;
    return this.runs.request(tx, { sql, params: [documentIds, 'DOCUMENT-SUMMARY'] });
  }
}
