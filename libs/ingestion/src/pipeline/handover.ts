import { Injectable } from '@nestjs/common';
import { BackgroundDatabase } from '@acervo/platform-database';
import { inTraceOf } from '@acervo/platform-observability';
import { WorkSignals, type Lease, LeaseLost, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { DocumentEvents } from '../documents/document-events';
import { VectorBacklog } from '../embedding/vector-backlog';
import { VECTORS } from './stages';

/** The task that makes the vectors of a hand-over without them. */
const vectorsOf = ({ subjectId, generation, priority }: Lease) => ({
  ...{ subjectId, stage: VECTORS.name, generation, priority },
});

/** Hands documents over to retrieval as soon as they have chunks: they are found by their words, and vectors follow. */
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
    const searched = await vectors.searched(scope);
    for (const lease of leases)
      await inTraceOf(lease, () =>
        database.write(scope, async (tx) => {
          await tasks.complete(tx, lease);
          const handed = await documentEvents.handOver(tx, lease, searched);
          if (handed !== undefined && vectors.lacks(handed)) await tasks.enqueue(tx, vectorsOf(lease));
        }),
      ).catch((error: unknown) => {
        if (!(error instanceof LeaseLost)) throw error;
      });
    await this.workSignals.notify(scope.groupId, VECTORS.name);
  }
}
