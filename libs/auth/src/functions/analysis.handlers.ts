import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { analyseFunction, encode, FunctionReference, type QueuedFunctionAnalysis } from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Tasks, WorkSignals } from '@acervo/platform-queue';
import type { Scope } from '@acervo/rbac';
import { assertSystem } from '../kernel/authority';
import { ANALYSE_FUNCTION } from './analysis.stage';
import { FunctionStore } from './function.store';

/** Queues analyses of functions. */
@Injectable()
export class AnalysisHandlers {
  constructor(
    private readonly tasks: Tasks,
    private readonly functions: FunctionStore,
    private readonly workSignals: WorkSignals,
  ) {}

  /** Each request has a task of its own, so that the analysis begins after it. */
  @Handles(analyseFunction)
  async analyse(scope: Scope, { code }: FunctionReference, context: WriteContext): Promise<QueuedFunctionAnalysis> {
    assertSystem(scope);
    const queued = await context.write(async (tx): Promise<QueuedFunctionAnalysis> => {
      await this.functions.get(tx, code);
      const taskId = randomUUID();
      const payload = encode(FunctionReference, { code });
      await this.tasks.enqueue(tx, { subjectId: taskId, stage: ANALYSE_FUNCTION.name, generation: 1, payload });
      return { code, taskId, status: 'PENDIENTE' };
    });
    await this.workSignals.notify(scope.groupId, ANALYSE_FUNCTION.name);
    return queued;
  }
}
