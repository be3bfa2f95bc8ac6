import {
  documentDescribed,
  DocumentDescribed,
  documentPrepared,
  DocumentPrepared,
  documentWithdrawn,
  DocumentWithdrawn,
  encode,
} from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { On } from '@acervo/platform-messaging';
import type { Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { INDEX_STAGE, PURGE_STAGE } from '../handover/stages';
import type { ProjectionStore } from './projection.store';

/** Takes note of what ingestion says about documents: a row of the projection, a row of work, nothing else. */
export class ProjectionConsumer {
  constructor(
    private readonly projection: ProjectionStore,
    private readonly tasks: Tasks,
  ) {}

  @On(documentDescribed)
  async describe(_scope: WorkScope, tx: Transaction, fact: DocumentDescribed): Promise<void> {
    await this.projection.describe(tx, fact);
  }

  @On(documentPrepared)
  async plan(_scope: WorkScope, tx: Transaction, fact: DocumentPrepared): Promise<void> {
    await this.projection.describe(tx, fact);
    await this.tasks.enqueue(tx, {
      subjectId: fact.documentId,
      stage: INDEX_STAGE.name,
      generation: fact.generation,
      payload: encode(DocumentPrepared, fact),
    });
  }

  @On(documentWithdrawn)
  async withdraw(_scope: WorkScope, tx: Transaction, { documentId, revision }: DocumentWithdrawn): Promise<void> {
    if (!(await this.projection.withdraw(tx, documentId, revision))) return;
    await this.tasks.withdraw(tx, documentId);
    await this.tasks.enqueue(tx, { subjectId: documentId, stage: PURGE_STAGE.name, generation: 0 });
  }
}
