import { Injectable } from '@nestjs/common';
import { encode, ProcessReference, reachesEntity, revive } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { BackgroundDatabase, type Transaction } from '@acervo/platform-database';
import { type Lease, RunsStage, type Stage, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { AssignedPeopleStore } from './assigned-people.store';

/** Looks whether the people of a process reach its entity. */
export const CHECK_ASSIGNEES: Stage = {
  ...{ name: 'check-assignees', batch: 16, leaseSeconds: 60, attempts: 1_000 },
  payload: ProcessReference,
};

/** Has the people of a process checked who were chosen before its entity was known. */
@Injectable()
export class AssigneeCheckPlan {
  constructor(private readonly tasks: Tasks) {}

  /** @param startId what names the task; each process has its own */
  plan(tx: Transaction, startId: string, processCode: string): Promise<void> {
    const payload = encode(ProcessReference, { processCode });
    return this.tasks.enqueue(tx, { subjectId: startId, stage: CHECK_ASSIGNEES.name, generation: 1, payload });
  }
}

/**
 * A definition is checked against the group: its documents may belong to any entity. A person who does not
 * reach the entity of a process sees none of its work, so it goes to the administrators.
 */
@Injectable()
export class AssigneeCheckStage {
  constructor(
    private readonly calls: Calls,
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly people: AssignedPeopleStore,
  ) {}

  @RunsStage(CHECK_ASSIGNEES)
  async check(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    const asked = new Map<string, boolean>();
    for (const lease of leases) {
      const { processCode } = revive(ProcessReference, lease.payload);
      const away = await this.withoutReach(scope, processCode, asked);
      await this.database.write(scope, async (tx) => {
        await this.people.release(tx, processCode, away);
        await this.tasks.completeAndDelete(tx, lease);
      });
    }
  }

  /** @param asked what was asked of the same people and entities for other processes of the batch */
  private async withoutReach(
    scope: WorkScope,
    processCode: string,
    asked: Map<string, boolean>,
  ): Promise<readonly string[]> {
    const assigned = await this.database.read(scope, (tx) => this.people.of(tx, processCode));
    const away: string[] = [];
    for (const { userId, code, entityCode } of assigned) {
      const question = JSON.stringify([code, entityCode]);
      const answered = asked.get(question);
      const reaches = answered ?? (await this.calls.send(reachesEntity, scope, { code, entityCode })).reaches;
      asked.set(question, reaches);
      if (!reaches) away.push(userId);
    }
    return away;
  }
}
