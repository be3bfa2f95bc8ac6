import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  dropSpacesSnapshot,
  type Empty,
  exportSpaces,
  importSpaces,
  type PageOfRows,
  type RowsOfTable,
  snapshotSpaces,
  type SnapshotToDrop,
  type TakenSnapshot,
  type TransferredRows,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import type { WorkScope } from '@acervo/rbac';
import { SnapshotExpiry } from './snapshot-expiry.stage';
import { SpaceTransfer } from './space-transfer';

/** Transfers spaces to another installation, row by row. */
@Injectable()
export class SpaceTransferHandlers {
  constructor(
    private readonly database: Database,
    private readonly transfer: SpaceTransfer,
    private readonly expiry: SnapshotExpiry,
  ) {}

  @Handles(snapshotSpaces)
  async takeSnapshot(_scope: WorkScope, _input: Empty, context: WriteContext): Promise<TakenSnapshot> {
    const snapshotId = randomUUID();
    const tables = await context.writeFromSnapshot(async (tx) => {
      await this.expiry.plan(tx, snapshotId);
      return this.transfer.takeSnapshot(tx, snapshotId);
    });
    return { snapshotId, tables };
  }

  @Handles(exportSpaces)
  async read(scope: WorkScope, page: PageOfRows): Promise<TransferredRows> {
    return { rows: await this.database.read(scope, (tx) => this.transfer.page(tx, page)) };
  }

  @Handles(dropSpacesSnapshot)
  async dropSnapshot(_scope: WorkScope, { snapshotId }: SnapshotToDrop, context: WriteContext): Promise<Empty> {
    await context.write((tx) => this.expiry.drop(tx, snapshotId));
    return {};
  }

  @Handles(importSpaces)
  async write(_scope: WorkScope, { table, rows }: RowsOfTable, context: WriteContext): Promise<Empty> {
    await context.write((tx) => this.transfer.write(tx, table, rows));
    return {};
  }
}
