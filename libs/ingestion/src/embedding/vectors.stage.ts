import { Injectable } from '@nestjs/common';
import { isConnectionLost } from '@acervo/platform-database';
import { inTraceOf } from '@acervo/platform-observability';
import { type Lease, LeaseLost, RunsStage, Tasks, WorkSignals } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { Batch, type BatchWork } from '../pipeline/batch';
import { LeaseRenewal } from '../pipeline/lease-renewal';
import { VECTORS } from '../pipeline/stages';
import { WorkingDocumentStore } from '../pipeline/working-document.store';
import { VectorHandover } from './vector-handover';

const AT_A_TIME = 3;

/**
 * Embeds the chunks of documents with the embedder in use, and hands the vectors over. Searchable documents stay
 * searchable meanwhile, and keep their state.
 */
@Injectable()
export class VectorsStage {
  constructor(
    private readonly tasks: Tasks,
    private readonly documents: WorkingDocumentStore,
    private readonly handover: VectorHandover,
    private readonly workSignals: WorkSignals,
  ) {}

  @RunsStage(VECTORS)
  async work(scope: WorkScope, leases: readonly Lease[], stopping: AbortSignal): Promise<void> {
    const { documents, tasks, handover } = this;
    const ids = leases.map(({ subjectId }) => subjectId);
    const found = await documents.find(scope, ids);
    const renewal = new LeaseRenewal(tasks, leases, VECTORS.leaseSeconds);
    const failures: unknown[] = [];
    const one = async (lease: Lease): Promise<void> => {
      try {
        await inTraceOf(lease, () => handover.handOver(scope, lease, found.get(lease.subjectId), renewal.progress));
      } catch (error) {
        if (isConnectionLost(error)) throw error;
        if (!(error instanceof LeaseLost)) failures.push(error);
      } finally {
        renewal.done(lease);
      }
    };
    const sharing: Pick<BatchWork, 'another' | 'othersWait' | 'release' | 'stopping'> = {
      stopping,
      another: () => Promise.resolve(undefined),
      othersWait: () => this.workSignals.othersWait(scope.groupId, VECTORS.name),
      release: async (open) => {
        for (const lease of open) renewal.done(lease);
        await tasks.release(scope, open);
      },
    };
    try {
      await new Batch({ leases, atOnce: AT_A_TIME, one, ...sharing }).run();
    } finally {
      await renewal.close();
    }
    if (failures.length > 0) throw failures[0];
  }
}
