import { Injectable } from '@nestjs/common';
import { type DocumentDeleted, documentDeleted } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { On } from '@acervo/platform-messaging';
import type { WorkScope } from '@acervo/rbac';
import { MessageStore } from './message.store';

/** Erases answers from deleted documents. An answer that is stored later is erased by `DeletedSources`. */
@Injectable()
export class DeletedDocumentsConsumer {
  constructor(private readonly messages: MessageStore) {}

  @On(documentDeleted, { atOnce: 64 })
  async withdraw(_scope: WorkScope, tx: Transaction, documents: readonly DocumentDeleted[]): Promise<void> {
    await this.messages.withdraw(
      tx,
      documents.map(({ code }) => code),
    );
  }
}
