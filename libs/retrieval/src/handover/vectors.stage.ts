import { Injectable } from '@nestjs/common';
import { isConnectionLost } from '@acervo/platform-database';
import { ObjectMissing } from '@acervo/platform-object-store';
import { inTraceOf } from '@acervo/platform-observability';
import { type Lease, LeaseKeeper, LeaseLost, RunsStage, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { IndexingFailures } from './indexing-failures';
import { VECTORS_STAGE } from './stages';
import { VectorsLoader } from './vectors-loader';

/** Loads vectors of documents that are found by their words already, each on its own. */
@Injectable()
export class VectorsStage {
  constructor(
    private readonly tasks: Tasks,
    private readonly loader: VectorsLoader,
    private readonly failures: IndexingFailures,
  ) {}

  @RunsStage(VECTORS_STAGE)
  async work(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    const keeper = new LeaseKeeper(this.tasks, leases, VECTORS_STAGE.leaseSeconds);
    const errors: unknown[] = [];
    for (const lease of leases)
      await inTraceOf(lease, () => this.loadOrGiveUp(scope, lease, keeper)).catch((error: unknown) => {
        if (isConnectionLost(error)) throw error;
        if (!(error instanceof LeaseLost)) errors.push(error);
      });
    if (errors.length > 0) throw errors[0];
  }

  /** No later attempt retries these vectors; the document stays searchable by its words. */
  exhausted(scope: WorkScope, lease: Lease, cause: string): Promise<void> {
    return this.failures.exhausted(scope, lease, cause);
  }

  private loadOrGiveUp(scope: WorkScope, lease: Lease, keeper: LeaseKeeper): Promise<void> {
    return this.loader.load(scope, lease, keeper).catch((error: unknown) => {
      if (!(error instanceof ObjectMissing)) throw error;
      return this.failures.missing(scope, lease);
    });
  }
}
