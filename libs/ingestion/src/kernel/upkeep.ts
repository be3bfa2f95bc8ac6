import type { Transaction } from '@acervo/platform-database';
import { outsideTraces } from '@acervo/platform-observability';
import type { Stage, Tasks } from '@acervo/platform-queue';
import { RECONCILE, RESCAN } from './stages';

/** Delay of the first run: most of the work on a new folder is done after it. */
const FIRST_AFTER_MS = 60_000;

/** Below the priority of all requested work. */
export const UPKEEP_PRIORITY = -9;

/** Enqueues the next run of recurring work. It is outside traces: the trace would never end. */
const plan = (stage: Stage, tasks: Tasks, tx: Transaction, delayMs: number): Promise<void> =>
  outsideTraces(() =>
    tasks.enqueue(tx, {
      ...{ subjectId: tx.groupId ?? '', stage: stage.name, generation: 1 },
      ...{ delayMs, priority: UPKEEP_PRIORITY },
    }),
  );

/** Enqueues the next comparison of the group, or postpones the waiting one. */
export const planReconciliation = (tasks: Tasks, tx: Transaction, delayMs: number): Promise<void> =>
  plan(RECONCILE, tasks, tx, delayMs);

/** Enqueues the next check which roots of the group are due, or postpones the waiting one. */
export const planRescans = (tasks: Tasks, tx: Transaction, delayMs = FIRST_AFTER_MS): Promise<void> =>
  plan(RESCAN, tasks, tx, delayMs);

/** Starts the recurring comparison and scans of a group that gets a folder. */
export const beginUpkeep = async (tasks: Tasks, tx: Transaction): Promise<void> => {
  await planReconciliation(tasks, tx, FIRST_AFTER_MS);
  await planRescans(tasks, tx);
};
