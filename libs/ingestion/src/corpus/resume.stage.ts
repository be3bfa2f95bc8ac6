import { Injectable } from '@nestjs/common';
import { BackgroundDatabase } from '@acervo/platform-database';
import { type Lease, RunsStage, Tasks, WorkSignals } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { CHUNK, RESUME } from '../kernel/stages';
import { CorpusPages } from './corpus-pages';
import { areLeft, CorpusStore, type SuspendedDocument } from './corpus.store';

/** The waiting documents that fit together, in their order; one that is too large holds up none behind it. */
export const thoseThatFit = (suspended: readonly SuspendedDocument[], left: number | null): SuspendedDocument[] => {
  const due = suspended.filter(({ isDue }) => isDue).reduce((sum, { pages }) => sum + pages, 0);
  let free = left === null ? Infinity : left - due;
  return suspended.filter(({ isDue, pages }) => {
    if (isDue || pages > free) return false;
    free -= pages;
    return true;
  });
};

/** Lets documents go on that waited for free pages: by their order, then the oldest first. */
@Injectable()
export class ResumeStage {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly store: CorpusStore,
    private readonly pages: CorpusPages,
    private readonly workSignals: WorkSignals,
  ) {}

  @RunsStage(RESUME)
  async look(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    for (const lease of leases) {
      const mayBegin = await this.database.write(scope, async (tx) => {
        const left = await this.store.left(tx);
        // A scan of all that waits, perhaps for months.
        if (!areLeft(left)) return false;
        const fitting = thoseThatFit(await this.store.suspended(tx), left);
        const ids = fitting.map(({ documentId }) => documentId);
        return ids.length > 0 && (await this.tasks.hasten(tx, ids, CHUNK.name));
      });
      if (mayBegin) await this.workSignals.notify(scope.groupId, CHUNK.name);
      await this.goOn(scope, lease);
    }
  }

  /** Looks again while documents wait. Those that begin to wait meanwhile enqueue the task themselves, behind this one. */
  private goOn(scope: WorkScope, lease: Lease): Promise<void> {
    return this.database.write(scope, async (tx) => {
      const isFull = await this.store.isFull(tx);
      await this.tasks.complete(tx, lease);
      if (isFull) await this.pages.lookLater(tx);
    });
  }
}
