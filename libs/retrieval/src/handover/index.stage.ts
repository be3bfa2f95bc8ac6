import { Injectable } from '@nestjs/common';
import { EngineDown } from '@acervo/contracts';
import { isConnectionLost } from '@acervo/platform-database';
import { ObjectMissing } from '@acervo/platform-object-store';
import { inTraceOf } from '@acervo/platform-observability';
import { type Lease, LeaseKeeper, LeaseLost, RunsStage, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { DocumentIndexer } from './document-indexer';
import { IndexingFailures } from './indexing-failures';
import { BUILD_STAGE, INDEX_STAGE } from './stages';

/** Indexes batches of hand-overs, each on its own: a failing one does not affect its batch. */
@Injectable()
export class IndexStage {
  constructor(
    private readonly tasks: Tasks,
    private readonly indexer: DocumentIndexer,
    private readonly failures: IndexingFailures,
  ) {}

  @RunsStage(INDEX_STAGE)
  index(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    return this.work(scope, leases);
  }

  @RunsStage(BUILD_STAGE)
  build(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    return this.work(scope, leases);
  }

  /** No later attempt retries the hand-over. */
  exhausted(scope: WorkScope, lease: Lease, cause: string): Promise<void> {
    return this.failures.exhausted(scope, lease, cause);
  }

  private async work(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    const keeper = new LeaseKeeper(this.tasks, leases, INDEX_STAGE.leaseSeconds);
    const errors: unknown[] = [];
    for (const lease of leases)
      await inTraceOf(lease, () => this.indexOrGiveUp(scope, lease, keeper)).catch((error: unknown) => {
        if (isConnectionLost(error) || error instanceof EngineDown) throw error;
        // Withdrawn, or leased by another worker: nothing failed, and no work is left.
        if (!(error instanceof LeaseLost)) errors.push(error);
      });
    // The rest of the batch is committed and stays.
    if (errors.length > 0) throw errors[0];
  }

  private indexOrGiveUp(scope: WorkScope, lease: Lease, keeper: LeaseKeeper): Promise<void> {
    return this.indexer.index(scope, lease, keeper).catch((error: unknown) => {
      if (!(error instanceof ObjectMissing)) throw error;
      return this.failures.missing(scope, lease);
    });
  }
}
