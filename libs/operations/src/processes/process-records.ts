import { Injectable } from '@nestjs/common';
import { filterVisibleDocuments, type Process, type ProcessTask } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import type { ProcessRow } from './process.store';
import { type ProcessTaskRow, ProcessTaskStore } from './process-task.store';

const momentOf = (at: Date | null): string | null => at?.toISOString() ?? null;

const taskOf = ({ code, name, description, status, roleCode, assignee, finishedAt }: ProcessTaskRow): ProcessTask => ({
  ...{ code, name, description, status, roleCode },
  assignee: assignee?.code ?? null,
  finishedAt: momentOf(finishedAt),
});

/** Processes as their readers see them: a document is named where the reader sees it now. */
@Injectable()
export class ProcessRecords {
  constructor(
    private readonly database: Database,
    private readonly calls: Calls,
    private readonly tasks: ProcessTaskStore,
  ) {}

  async of(scope: Scope, rows: readonly ProcessRow[]): Promise<Process[]> {
    const codes = rows.map(({ code }) => code);
    const tasks = await this.database.read(scope, (tx) => this.tasks.of(tx, codes));
    const visible = await this.visible(scope, rows);
    return rows.map(({ type, createdById: _creator, assignedToId: _assignee, ...row }) => ({
      ...row,
      processType: type,
      documentCode: row.documentCode !== null && visible.has(row.documentCode) ? row.documentCode : null,
      dueAt: momentOf(row.dueAt),
      finishedAt: momentOf(row.finishedAt),
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
      tasks: tasks.filter(({ processCode }) => processCode === row.code).map(taskOf),
    }));
  }

  async one(scope: Scope, row: ProcessRow): Promise<Process> {
    const [record] = await this.of(scope, [row]);
    if (record === undefined) throw new Error('A process has no record.');
    return record;
  }

  private async visible(scope: Scope, rows: readonly ProcessRow[]): Promise<ReadonlySet<string>> {
    const codes = [...new Set(rows.flatMap(({ documentCode }) => (documentCode === null ? [] : [documentCode])))];
    return new Set(codes.length === 0 ? [] : (await this.calls.send(filterVisibleDocuments, scope, { codes })).codes);
  }
}
