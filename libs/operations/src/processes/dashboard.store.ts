import { Injectable } from '@nestjs/common';
import type { ProcessDashboard } from '@acervo/contracts';
import { processStatus, type ProcessStatus } from '@acervo/public-mapping';
import type { Transaction } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { visibleProcessesSql } from './process-access';
import { OVER } from './process-state';

interface DashboardRow {
  readonly status: ProcessStatus;
  readonly count: number;
  readonly due: number;
  readonly overdue: number;
  readonly assigned: number;
}

const sumOf = (rows: readonly DashboardRow[], key: 'due' | 'overdue' | 'assigned'): number =>
  rows.reduce((sum, row) => sum + row[key], 0);

/** Counts the work of one user. */
@Injectable()
export class DashboardStore {
  async of(tx: Transaction, scope: Scope): Promise<ProcessDashboard> {
    const visible = visibleProcessesSql(scope, 'p', 4);
    const rows = await tx.query<DashboardRow>(
      `select p.status, count(*)::int as count,
         (count(*) filter (where p.status <> all($3::text[]) and p.due_at >= now()))::int as due,
         (count(*) filter (where p.status <> all($3::text[]) and p.due_at < now()))::int as overdue,
         (count(*) filter (where p.status <> all($3::text[]) and p.assigned_to_id = $2::uuid))::int as assigned
       from operations.process p
       where p.group_id = $1 and (p.created_by_id = $2::uuid or p.assigned_to_id = $2::uuid) and ${visible.sql}
       group by p.status`,
      [tx.groupId, scope.userId, OVER, ...visible.params],
    );
    const counts = new Map(rows.map(({ status, count }) => [status, count]));
    return {
      byStatus: processStatus.internalCodes.map((status) => ({ status, count: counts.get(status) ?? 0 })),
      ...{ due: sumOf(rows, 'due'), overdue: sumOf(rows, 'overdue'), assigned: sumOf(rows, 'assigned') },
    };
  }
}
