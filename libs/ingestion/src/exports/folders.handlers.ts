import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  dropFoldersSnapshot,
  type Empty,
  exportFolders,
  importFolders,
  type PageOfRows,
  type RowsOfTable,
  snapshotFolders,
  type SnapshotToDrop,
  type TakenSnapshot,
  type TransferredRows,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { BackgroundDatabase } from '@acervo/platform-database';
import type { WorkScope } from '@acervo/rbac';
import { FolderTransfer } from './folder-transfer';

/** Transfers folders, and documents with their tombstones, to another installation, row by row. */
@Injectable()
export class FolderTransferHandlers {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly transfer: FolderTransfer,
  ) {}

  @Handles(snapshotFolders)
  async takeSnapshot(_scope: WorkScope, _input: Empty, context: WriteContext): Promise<TakenSnapshot> {
    const snapshotId = randomUUID();
    const tables = await context.writeFromSnapshot((tx) => this.transfer.takeSnapshot(tx, snapshotId));
    return { snapshotId, tables };
  }

  @Handles(exportFolders)
  async read(scope: WorkScope, page: PageOfRows): Promise<TransferredRows> {
    return { rows: await this.database.read(scope, (tx) => this.transfer.page(tx, page)) };
  }

  @Handles(dropFoldersSnapshot)
  async dropSnapshot(_scope: WorkScope, { snapshotId }: SnapshotToDrop, context: WriteContext): Promise<Empty> {
    await context.write((tx) => this.transfer.dropSnapshot(tx, snapshotId));
    return {};
  }

  @Handles(importFolders)
  async write(_scope: WorkScope, { table, rows }: RowsOfTable, context: WriteContext): Promise<Empty> {
    await context.write((tx) => this.transfer.write(tx, table, rows));
    return {};
  }
}
