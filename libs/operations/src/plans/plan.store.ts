import { Injectable } from '@nestjs/common';
import type { Plan } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';

/** Plans of the installation, and the plan of each group. */
@Injectable()
export class PlanStore {
  async find(tx: Transaction, code: string): Promise<Plan | undefined> {
    const [row] = await tx.query<{ content: Plan }>('select content from operations.plan where code = $1', [code]);
    return row?.content;
  }

  /** Adds a plan, unless its code is there. */
  async add(tx: Transaction, plan: Plan): Promise<void> {
    await tx.query('insert into operations.plan (code, content) values ($1, $2::jsonb) on conflict (code) do nothing', [
      plan.code,
      JSON.stringify(plan),
    ]);
  }

  /** Gives the group a plan. @returns how many it was given so far */
  async assign(tx: Transaction, code: string): Promise<number> {
    const [row] = await tx.query<{ revision: number }>(
      `insert into operations.group_plan as p (group_id, plan_code, revision) values ($1, $2, 1)
       on conflict (group_id) do update set plan_code = excluded.plan_code, revision = p.revision + 1, assigned_at = now()
       returning revision`,
      [tx.groupId, code],
    );
    return row?.revision ?? 1;
  }

  /** The plan of the group; undefined where none was assigned. */
  async ofGroup(tx: Transaction): Promise<Plan | undefined> {
    const [row] = await tx.query<{ content: Plan }>(
      `select p.content from operations.group_plan g join operations.plan p on p.code = g.plan_code
       where g.group_id = $1`,
      [tx.groupId],
    );
    return row?.content;
  }
}
