import { Injectable } from '@nestjs/common';
import { BackgroundDatabase } from '@acervo/platform-database';
import { inTraceOf } from '@acervo/platform-observability';
import { WorkSignals, type Lease, LeaseLost, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { DocumentEvents } from '../documents/document-events';
import { VectorBacklog } from '../embedding/vector-backlog';
import { VECTORS } from './stages';

/** The task that adds vectors of the embedder in use to a hand-over without them. */
const vectorsOf = ({ subjectId, generation }: Lease) => ({ subjectId, stage: VECTORS.name, generation });

/** Hands documents over to retrieval, with everything that retrieval needs. */
@Injectable()
export class Handover {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly documentEvents: DocumentEvents,
    private readonly vectors: VectorBacklog,
    private readonly workSignals: WorkSignals,
  ) {}

  async handOver(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    const { database, tasks, documentEvents, vectors } = this;
    for (const lease of leases)
      await inTraceOf(lease, () =>
        database.write(scope, async (tx) => {
          await tasks.complete(tx, lease);
          const handed = await documentEvents.handOver(tx, lease);
          if (handed !== undefined && vectors.lacks(handed)) await tasks.enqueue(tx, vectorsOf(lease));
        }),
      ).catch((error: unknown) => {
        if (!(error instanceof LeaseLost)) throw error;
      });
    await this.workSignals.notify(scope.groupId, VECTORS.name);
  }
}
