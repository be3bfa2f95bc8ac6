import { Injectable } from '@nestjs/common';
import { filterStoredDocuments, MOST_ASKED_DOCUMENTS } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import type { WorkScope } from '@acervo/rbac';
import { MessageStore } from '../conversations/message.store';

/**
 * Erases answers from deleted documents whose event came before the answer was stored, or never. Ingestion is asked
 * about each cited document.
 */
@Injectable()
export class DeletedSources {
  constructor(
    private readonly database: Database,
    private readonly messages: MessageStore,
    private readonly calls: Calls,
  ) {}

  /** Returns how many answers were erased. */
  async erase(scope: WorkScope): Promise<number> {
    let erased = 0;
    for (let after = ''; ;) {
      const cited = await this.database.read(scope, (tx) => this.messages.cited(tx, after, MOST_ASKED_DOCUMENTS));
      const last = cited.at(-1);
      if (last === undefined) return erased;
      after = last;
      const stored = new Set((await this.calls.send(filterStoredDocuments, scope, { codes: cited })).codes);
      const gone = cited.filter((code) => !stored.has(code));
      if (gone.length > 0) erased += await this.database.write(scope, (tx) => this.messages.withdraw(tx, gone));
    }
  }
}
