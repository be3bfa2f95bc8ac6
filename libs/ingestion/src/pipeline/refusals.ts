import { Injectable } from '@nestjs/common';
import type { DocumentRefused } from '@acervo/files';
import { BackgroundDatabase, type Transaction } from '@acervo/platform-database';
import { type Lease, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { AttachmentStore } from '../attachments/attachment.store';
import { DocumentEvents } from '../document-state/document-events';
import { EarlierVectorsStore } from '../document-state/earlier-vectors.store';
import type { DocumentOutput } from './outcome';
import { StepOutcomes } from './step-outcomes';
import { WorkingDocumentStore } from '../document-state/working-document.store';

/** Ends the work on documents that no step can process in their present state. */
@Injectable()
export class Refusals {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly documents: WorkingDocumentStore,
    private readonly outcomes: StepOutcomes,
    private readonly documentEvents: DocumentEvents,
    private readonly attachments: AttachmentStore,
    private readonly earlier: EarlierVectorsStore,
  ) {}

  /**
   * The new content has nothing to search, so the old content leaves search.
   * @param outputs what earlier steps made within the same lease
   */
  async refuse(
    scope: WorkScope,
    lease: Lease,
    refused: DocumentRefused,
    outputs: readonly DocumentOutput[] = [],
  ): Promise<void> {
    const { database, tasks, outcomes } = this;
    const current = await database.write(scope, async (tx) => {
      const advanced = await outcomes.advance(tx, outputs);
      await tasks.complete(tx, lease);
      await this.fail(tx, lease, refused);
      return advanced;
    });
    await outcomes.discard(
      scope,
      outputs.filter(({ document }) => !current.has(document.documentId)),
    );
  }

  private async fail(tx: Transaction, lease: Lease, { status, message, retryOnScan }: DocumentRefused): Promise<void> {
    const { documents, documentEvents, attachments, earlier } = this;
    const refusal = { status, reason: message, retryOnScan };
    if (!(await documents.fail(tx, lease.subjectId, lease.generation, refusal))) return;
    if (retryOnScan) return;
    await documentEvents.withdraw(tx, [lease.subjectId]);
    await attachments.miss(tx, [lease.subjectId]);
    await earlier.forget(tx, [lease.subjectId]);
  }
}
