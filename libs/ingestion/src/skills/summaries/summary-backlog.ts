import { Injectable } from '@nestjs/common';
import { ChatModel } from '@acervo/models/chat';
import type { Transaction } from '@acervo/platform-database';
import { IngestionConfig } from '../../ingestion.config';
import { RUN_SKILL } from '../../kernel/stages';
import { DocumentSkillStore } from '../document-skill.store';

/** Has a model summarise documents once they are handed over. Nothing waits for it. */
@Injectable()
export class SummaryBacklog {
  constructor(
    private readonly model: ChatModel,
    private readonly config: IngestionConfig,
    private readonly store: DocumentSkillStore,
  ) {}

  /**
   * Queues the summaries of documents that are handed over; answers the stages that got tasks. Whether the group permits
   * a model is asked when they are worked on: this transaction waits for no other service.
   */
  async follow(tx: Transaction, documentIds: readonly string[]): Promise<readonly string[]> {
    if (!this.model.isConfigured || !this.config.chatSummaries || documentIds.length === 0) return [];
    await this.store.follow(tx, 'DOCUMENT-SUMMARY', documentIds);
    return [RUN_SKILL.name];
  }
}
