import { Injectable } from '@nestjs/common';
import {
  DocumentEmbedded,
  documentIndexingFailed,
  type DocumentIndexingFailed,
  DocumentPrepared,
  revive,
} from '@acervo/contracts';
import { BackgroundDatabase, type Transaction } from '@acervo/platform-database';
import { Outbox } from '@acervo/platform-messaging';
import { type Lease, Tasks, WORKER_DIED } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { PURGE_STAGE, VECTORS_STAGE } from '../kernel/stages';

const GIVEN_BACK_MS = 5_000;

const handedOver = ({ stage, payload }: Lease): DocumentPrepared | DocumentEmbedded =>
  stage === VECTORS_STAGE.name ? revive(DocumentEmbedded, payload) : revive(DocumentPrepared, payload);

/** Publishes that a hand-over is given up, and plans the purge of its loaded chunks. */
@Injectable()
export class IndexingFailures {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly outbox: Outbox,
  ) {}

  /** Every attempt failed; no later one retries the hand-over. */
  async exhausted(scope: WorkScope, lease: Lease, cause: string): Promise<void> {
    const isFinal = cause === WORKER_DIED;
    const reason = isFinal
      ? 'Each time that the document was indexed the program ended; retry it when that is repaired.'
      : 'The document could not be indexed; retry it, or see the log of the retrieval service.';
    // The purge skips chunks of a load until its lease is released, which follows at once.
    await this.database.write(scope, (tx) => this.fail(tx, lease, { reason, isFinal }, GIVEN_BACK_MS));
  }

  /**
   * A missing object usually belongs to a document that changed or was deleted meanwhile. Ingestion knows that and
   * ignores the event. Otherwise the object was lost, and ingestion prepares it again. A retry would not find it.
   */
  async missing(scope: WorkScope, lease: Lease): Promise<void> {
    const reason = 'What was prepared of the document is gone from the object store; the next scan prepares it again.';
    await this.database.write(scope, async (tx) => {
      await this.tasks.completeAndDelete(tx, lease);
      await this.fail(tx, lease, { reason, isFinal: false });
    });
  }

  private async fail(
    tx: Transaction,
    lease: Lease,
    why: Pick<DocumentIndexingFailed, 'reason' | 'isFinal'>,
    purgeInMs?: number,
  ): Promise<void> {
    const { documentId, revision, generation } = handedOver(lease);
    await this.outbox.append(tx, documentIndexingFailed, { documentId, revision, generation, ...why });
    const purge = { subjectId: documentId, stage: PURGE_STAGE.name, generation: 0, delayMs: purgeInMs };
    await this.tasks.enqueue(tx, purge);
  }
}
