import type { Embedders } from '@acervo/models';
import { type Database, isConnectionLost } from '@acervo/platform-database';
import { inTraceOf } from '@acervo/platform-observability';
import { type Lease, LeaseLost, RunsStage, type Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import type { Discards } from '../documents/discards';
import type { DocumentFacts } from '../documents/document.facts';
import { Batch } from '../pipeline/batch';
import { HeldLeases } from '../pipeline/held-leases';
import { VECTORS } from '../pipeline/stages';
import type { WorkingDocument, WorkStore } from '../pipeline/work.store';
import type { Vectoriser } from './vectoriser';

export interface VectorsParts {
  readonly database: Database;
  readonly tasks: Tasks;
  readonly documents: WorkStore;
  readonly facts: DocumentFacts;
  readonly vectoriser: Vectoriser;
  readonly discards: Discards;
  readonly embedders: Embedders;
}

const AT_A_TIME = 3;

/**
 * Gives documents vectors of the embedder in use, from the chunks that they have, and hands them over. What is
 * searchable stays so meanwhile, and the state of the document stays what it is.
 */
export class VectorsStage {
  constructor(private readonly parts: VectorsParts) {}

  @RunsStage(VECTORS)
  async work(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    const { documents, tasks } = this.parts;
    const ids = leases.map(({ subjectId }) => subjectId);
    const found = await documents.find(scope, ids);
    const held = new HeldLeases(tasks, leases, VECTORS.leaseSeconds);
    const failures: unknown[] = [];
    const one = async (lease: Lease): Promise<void> => {
      try {
        await inTraceOf(lease, () => this.workOne(scope, lease, found.get(lease.subjectId), held.progress));
      } catch (error) {
        if (isConnectionLost(error)) throw error;
        if (!(error instanceof LeaseLost)) failures.push(error);
      } finally {
        held.done(lease);
      }
    };
    const another = (): Promise<undefined> => Promise.resolve(undefined);
    try {
      await new Batch({ leases, atOnce: AT_A_TIME, one, another }).run();
    } finally {
      await held.close();
    }
    if (failures.length > 0) throw failures[0];
  }

  private async workOne(
    scope: WorkScope,
    lease: Lease,
    document: WorkingDocument | undefined,
    progress: () => void,
  ): Promise<void> {
    const { database, tasks, facts, vectoriser, embedders, discards } = this.parts;
    const current = document?.generation === lease.generation && document.chunksObject !== null;
    // An embedder that cannot run at this start is asked for again by the next one.
    if (!current || !embedders.targetRuns) return database.write(scope, (tx) => tasks.complete(tx, lease));
    const { value, objects, keep } = await vectoriser.vectors(scope, document, embedders.target.space, progress);
    const committing = database.write(scope, async (tx) => {
      await tasks.complete(tx, lease);
      await keep(tx);
      await facts.handOverVectors(tx, document, value);
    });
    await committing.catch(async (error: unknown) => {
      if (error instanceof LeaseLost)
        await database.write(scope, (tx) => discards.abandon(tx, document.contentHash, objects));
      throw error;
    });
  }
}
