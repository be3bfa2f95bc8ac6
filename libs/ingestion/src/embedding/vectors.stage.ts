import { Injectable } from '@nestjs/common';
import { BackgroundDatabase, isConnectionLost, SliceSize } from '@acervo/platform-database';
import { inTraceOf } from '@acervo/platform-observability';
import { type Lease, LeaseLost, RunsStage, Tasks, WorkSignals } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { WorkBatch, type BatchWork } from '../kernel/batch';
import { LeaseRenewal } from '../kernel/lease-renewal';
import { OUTCOMES, OutcomeWriter } from '../kernel/outcome-writer';
import { VECTORS } from '../kernel/stages';
import { WorkingDocumentStore } from '../document-state/working-document.store';
import { VectorHandover, type VectorOutcome } from './vector-handover';

/** Passages of a small document: all small ones of a batch are worked at once, so that they share requests. */
const FEW = 2;
/** Other documents at a time, beside the small ones. */
const AT_A_TIME = 3;

/** Waits for all, also where one has failed. @throws the first failure */
const allEnded = async (works: readonly Promise<unknown>[]): Promise<void> => {
  const failed = (await Promise.allSettled(works)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
};

/**
 * Embeds the chunks of documents with the embedder in use, and hands the vectors of several documents over in one
 * transaction. Searchable documents stay searchable meanwhile, and keep their state.
 */
@Injectable()
export class VectorsStage {
  private readonly size: SliceSize;

  constructor(
    database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly documents: WorkingDocumentStore,
    private readonly handover: VectorHandover,
    private readonly workSignals: WorkSignals,
  ) {
    this.size = new SliceSize(database, OUTCOMES);
  }

  @RunsStage(VECTORS)
  async work(scope: WorkScope, leases: readonly Lease[], stopping: AbortSignal): Promise<void> {
    const { documents, handover } = this;
    const ids = leases.map(({ subjectId }) => subjectId);
    const found = await documents.find(scope, ids);
    handover.expect(scope, [...found.values()]);
    const renewal = new LeaseRenewal(this.tasks, leases, VECTORS.leaseSeconds);
    const failures: unknown[] = [];
    const failed = (lease: Lease, error: unknown): Promise<void> => {
      if (isConnectionLost(error)) throw error;
      renewal.done(lease);
      if (!(error instanceof LeaseLost)) failures.push(error);
      return Promise.resolve();
    };
    const over = renewal.done.bind(renewal);
    const writer = new OutcomeWriter<VectorOutcome>(handover, this.size, scope, { over, failed });
    const one = (lease: Lease): Promise<void> =>
      inTraceOf(lease, async () =>
        writer.add(await handover.make(scope, lease, found.get(lease.subjectId), renewal.progress)),
      ).catch((error: unknown) => failed(lease, error));
    try {
      const isSmall = ({ subjectId }: Lease): boolean => (found.get(subjectId)?.chunkCount ?? 0) <= FEW;
      const sharing = this.sharing(scope, renewal, stopping);
      const others = leases.filter((lease) => !isSmall(lease));
      await allEnded([
        new WorkBatch({ leases: leases.filter(isSmall), atOnce: VECTORS.batch, one, ...sharing }).run(),
        new WorkBatch({ leases: others, atOnce: AT_A_TIME, one, ...sharing }).run(),
      ]);
      await writer.flush();
    } finally {
      writer.close();
      await renewal.close();
    }
    if (failures.length > 0) throw failures[0];
  }

  /** How a batch shares its slot with the batches of other groups. */
  private sharing(
    scope: WorkScope,
    renewal: LeaseRenewal,
    stopping: AbortSignal,
  ): Pick<BatchWork, 'another' | 'othersWait' | 'release' | 'stopping'> {
    return {
      stopping,
      another: () => Promise.resolve(undefined),
      othersWait: () => this.workSignals.othersWait(scope.groupId, VECTORS.name),
      release: async (open) => {
        for (const lease of open) renewal.done(lease);
        await this.tasks.release(scope, open);
      },
    };
  }
}
