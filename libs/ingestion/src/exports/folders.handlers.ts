import { Injectable } from '@nestjs/common';
import {
  type Empty,
  exportFolders,
  importFolders,
  type PageOfRows,
  type RowsOfTable,
  type TransferredRows,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { BackgroundDatabase, Transfer } from '@acervo/platform-database';
import type { WorkScope } from '@acervo/rbac';
import { folderTables } from './tables';

const PAGE = 200;

/** Transfers folders, and documents with their tombstones, to another installation, row by row. */
@Injectable()
export class FolderTransferHandlers {
  private readonly transfer = new Transfer('ingestion', folderTables);

  constructor(private readonly database: BackgroundDatabase) {}

  @Handles(exportFolders)
  async read(scope: WorkScope, { table, after }: PageOfRows): Promise<TransferredRows> {
    return { rows: await this.database.read(scope, (tx) => this.transfer.read(tx, table, after, PAGE)) };
  }

  @Handles(importFolders)
  async write(_scope: WorkScope, { table, rows }: RowsOfTable, context: WriteContext): Promise<Empty> {
    await context.write((tx) => this.transfer.write(tx, table, rows));
    return {};
  }
}
