import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  dropProcessesSnapshot,
  type Empty,
  exportProcesses,
  importProcesses,
  type PageOfRows,
  type RowsOfTable,
  snapshotProcesses,
  type SnapshotToDrop,
  type TakenSnapshot,
  type TransferredRows,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import type { WorkScope } from '@acervo/rbac';
import { ProcessTransfer } from './process-transfer';

/** Transfers processes to another installation, row by row. */
@Injectable()
export class ProcessTransferHandlers {
  constructor(
    private readonly database: Database,
    private readonly transfer: ProcessTransfer,
  ) {}

  @Handles(snapshotProcesses)
  async takeSnapshot(_scope: WorkScope, _input: Empty, context: WriteContext): Promise<TakenSnapshot> {
    const snapshotId = randomUUID();
    const tables = await context.writeFromSnapshot((tx) => this.transfer.takeSnapshot(tx, snapshotId));
    return { snapshotId, tables };
  }

  @Handles(exportProcesses)
  async read(scope: WorkScope, page: PageOfRows): Promise<TransferredRows> {
    return { rows: await this.database.read(scope, (tx) => this.transfer.page(tx, page)) };
  }

  @Handles(dropProcessesSnapshot)
  async dropSnapshot(_scope: WorkScope, { snapshotId }: SnapshotToDrop, context: WriteContext): Promise<Empty> {
    await context.write((tx) => this.transfer.dropSnapshot(tx, snapshotId));
    return {};
  }

  @Handles(importProcesses)
  async write(_scope: WorkScope, { table, rows }: RowsOfTable, context: WriteContext): Promise<Empty> {
    await context.write((tx) => this.transfer.write(tx, table, rows));
    return {};
  }
}
