import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';
import { outsideTraces } from '@acervo/platform-observability';
import { Tasks } from '@acervo/platform-queue';
import { RUN_SKILL } from '../kernel/stages';

/** The generation of the tasks of runs: a repeated run is the same task again. */
export const GENERATION = 1;
/** Below new documents, and below the runs that users request. */
export const BACKGROUND = -3;

/** Documents that are due, as SQL with the columns `document_id` and `skill_code`; `$1` is the group. */
export interface DueRuns {
  readonly sql: string;
  /** From `$2` on. */
  readonly params: readonly unknown[];
}

/** Runs of skills that no user requests. */
@Injectable()
export class BackgroundRuns {
  constructor(private readonly tasks: Tasks) {}

  /** Queues runs; one that a user requested remains the run of this user. Answers the stages that got tasks. */
  async request(tx: Transaction, { sql, params }: DueRuns): Promise<readonly string[]> {
    const rows = await tx.prepared<{ workId: string }>(
      `insert into ingestion.document_skill (group_id, document_id, skill_code, run_id)
       select $1::uuid, due.document_id, due.skill_code, uuidv7() from (${sql}) due order by due.document_id
       on conflict (group_id, document_id, skill_code) do update set run_id = excluded.run_id, requested_at = now()
       returning work_id as "workId"`,
      [tx.groupId, ...params],
    );
    const task = { stage: RUN_SKILL.name, generation: GENERATION, priority: BACKGROUND };
    await outsideTraces(() =>
      this.tasks.enqueueAll(
        tx,
        rows.map(({ workId: subjectId }) => ({ ...task, subjectId })),
      ),
    );
    return rows.length === 0 ? [] : [RUN_SKILL.name];
  }
}
