import { Injectable } from '@nestjs/common';
import type { TenantScope, Transaction } from '@acervo/platform-database';
import { type Stage, Tasks, WorkSignals } from '@acervo/platform-queue';
import type { Root } from '../locations/location.store';
import { SCAN, WEB } from '../kernel/stages';
import { isWebRoot } from '../locations/web-root';
import { RunStore } from './run.store';

/** The stage of the scans of a folder, or of the refreshes of a web location. */
export const stageOf = (root: Pick<Root, 'path'>): Stage => (isWebRoot(root) ? WEB : SCAN);

/** Requests runs of roots: scans of folders, refreshes and research of web locations. Each has a task. */
@Injectable()
export class ScanRequests {
  constructor(
    private readonly runs: RunStore,
    private readonly tasks: Tasks,
    private readonly workSignals: WorkSignals,
  ) {}

  /** Answers the number of the run. */
  async plan(tx: Transaction, root: Pick<Root, 'code' | 'path'>, acceptDeletions: boolean): Promise<number> {
    const { run, runId } = await this.runs.plan(tx, root, acceptDeletions);
    await this.tasks.enqueue(tx, { subjectId: runId, stage: stageOf(root).name, generation: 1 });
    return run;
  }

  /** The same for research of a web location. */
  async planResearch(tx: Transaction, root: Pick<Root, 'code'>): Promise<number> {
    const { run, runId } = await this.runs.plan(tx, root, false, true);
    await this.tasks.enqueue(tx, { subjectId: runId, stage: WEB.name, generation: 1 });
    return run;
  }

  /** Called after the transaction of the request is committed. */
  async notify({ groupId }: TenantScope): Promise<void> {
    for (const { name } of [SCAN, WEB]) await this.workSignals.notify(groupId, name);
  }
}
