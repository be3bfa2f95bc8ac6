import { Injectable } from '@nestjs/common';
import type { TenantScope, Transaction } from '@acervo/platform-database';
import { WorkSignals, Tasks } from '@acervo/platform-queue';
import type { Root } from '../locations/location.store';
import { SCAN } from '../kernel/stages';
import { RunStore } from './run.store';

/** Requests scans of roots: each is a run and the task that scans it. */
@Injectable()
export class ScanRequests {
  constructor(
    private readonly runs: RunStore,
    private readonly tasks: Tasks,
    private readonly workSignals: WorkSignals,
  ) {}

  /** Answers the number of the run. */
  async plan(tx: Transaction, root: Pick<Root, 'code'>, acceptDeletions: boolean): Promise<number> {
    const { run, runId } = await this.runs.plan(tx, root, acceptDeletions);
    await this.tasks.enqueue(tx, { subjectId: runId, stage: SCAN.name, generation: 1 });
    return run;
  }

  /** Called after the transaction of the request is committed. */
  async notify({ groupId }: TenantScope): Promise<void> {
    await this.workSignals.notify(groupId, SCAN.name);
  }
}
