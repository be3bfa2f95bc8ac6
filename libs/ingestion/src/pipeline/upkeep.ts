import type { Transaction } from '@acervo/platform-database';
import { outsideTraces } from '@acervo/platform-observability';
import type { Stage, Tasks } from '@acervo/platform-queue';
import { RECONCILE, RESCAN } from './stages';

/** The first time, once most of the work is done that a new folder makes. */
const FIRST_AFTER_MS = 60_000;

/** Behind whatever somebody asked for. */
export const UPKEEP_PRIORITY = -9;

/** Puts the next turn of what a group always has to do where it waits. Nobody asked for it: a trace would never end with it. */
const plan = (stage: Stage, tasks: Tasks, tx: Transaction, delayMs: number): Promise<void> =>
  outsideTraces(() =>
    tasks.enqueue(tx, {
      ...{ subjectId: tx.groupId ?? '', stage: stage.name, generation: 1 },
      ...{ delayMs, priority: UPKEEP_PRIORITY },
    }),
  );

/** Puts the next comparison of the group where it waits. */
export const planReconciliation = (tasks: Tasks, tx: Transaction, delayMs: number): Promise<void> =>
  plan(RECONCILE, tasks, tx, delayMs);

/** Puts the next look at which roots of the group are to be scanned again where it waits. */
export const planRescans = (tasks: Tasks, tx: Transaction, delayMs = FIRST_AFTER_MS): Promise<void> =>
  plan(RESCAN, tasks, tx, delayMs);

/** A group that has folders is compared and scanned again from then on. */
export const beginUpkeep = async (tasks: Tasks, tx: Transaction): Promise<void> => {
  await planReconciliation(tasks, tx, FIRST_AFTER_MS);
  await planRescans(tasks, tx);
};
