import { Injectable } from '@nestjs/common';
import { BackgroundDatabase, type Transaction } from '@acervo/platform-database';
import { outsideTraces } from '@acervo/platform-observability';
import { type Lease, RunsStage, type Stage, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { nextMidnight, periodStart } from './calendar';
import { DefinitionStore, type ScheduledDefinition } from './definition.store';
import { ProcessStarter } from './process-starter';

/** Starts what the calendar of a group starts. */
export const START_SCHEDULED: Stage = { name: 'start-scheduled', batch: 1, leaseSeconds: 60, attempts: 1_000 };

/** The time of the calendar; tests set it. */
@Injectable()
export class Calendar {
  now(): Date {
    return new Date();
  }
}

/** Enqueues the next look at the calendar of a group; a waiting one covers it. */
@Injectable()
export class SchedulePlan {
  constructor(
    private readonly tasks: Tasks,
    private readonly definitions: DefinitionStore,
    private readonly calendar: Calendar,
  ) {}

  /** At the next midnight, where the calendar starts a definition. */
  async plan(tx: Transaction): Promise<void> {
    if ((await this.definitions.scheduled(tx)).length === 0) return;
    const now = this.calendar.now();
    const delayMs = nextMidnight(now).getTime() - now.getTime();
    const task = { subjectId: tx.groupId ?? '', stage: START_SCHEDULED.name, generation: 1, delayMs };
    await outsideTraces(() => this.tasks.enqueue(tx, task));
  }
}

/**
 * Starts one process of each definition in each of its periods. A period that began before its definition has none, and
 * one that is over while no service ran stays without.
 */
@Injectable()
export class ScheduleStage {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly definitions: DefinitionStore,
    private readonly starter: ProcessStarter,
    private readonly plan: SchedulePlan,
    private readonly calendar: Calendar,
  ) {}

  @RunsStage(START_SCHEDULED)
  async start(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    for (const lease of leases)
      await this.database.write(scope, async (tx) => {
        for (const definition of await this.definitions.scheduled(tx)) await this.startDue(tx, definition);
        await this.tasks.complete(tx, lease);
        await this.plan.plan(tx);
      });
  }

  private async startDue(tx: Transaction, definition: ScheduledDefinition): Promise<void> {
    const began = periodStart(definition.period, this.calendar.now());
    if (began < definition.scheduledFrom) return;
    const subject = `${definition.period}:${began.toISOString().slice(0, 10)}`;
    await this.starter.start(tx, definition, { subject, createdBy: null, entityCode: null, documentCode: null });
  }
}
