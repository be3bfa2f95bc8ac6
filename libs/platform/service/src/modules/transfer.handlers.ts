import { randomUUID } from 'node:crypto';
import { Inject, Injectable, type Type } from '@nestjs/common';
import type {
  Empty,
  PageOfRows,
  RowsOfTable,
  SnapshotToDrop,
  TakenSnapshot,
  TransferCalls,
  TransferredRows,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { BackgroundDatabase, type Transfer } from '@acervo/platform-database';
import type { WorkScope } from '@acervo/rbac';

/**
 * A provider that answers the calls which carry rows to another installation.
 * @param rows the provider of the tables that they carry
 */
export const transferHandlers = ({ take, read, drop, write }: TransferCalls, rows: Type<Transfer>): Type<object> => {
  @Injectable()
  class TransferHandlers {
    constructor(
      private readonly database: BackgroundDatabase,
      @Inject(rows) private readonly transfer: Transfer,
    ) {}

    @Handles(take)
    async takeSnapshot(_scope: WorkScope, _input: Empty, context: WriteContext): Promise<TakenSnapshot> {
      const snapshotId = randomUUID();
      const tables = await context.writeFromSnapshot((tx) => this.transfer.takeSnapshot(tx, snapshotId));
      return { snapshotId, tables };
    }

    @Handles(read)
    async read(scope: WorkScope, page: PageOfRows): Promise<TransferredRows> {
      return { rows: await this.database.read(scope, (tx) => this.transfer.page(tx, page)) };
    }

    @Handles(drop)
    async dropSnapshot(_scope: WorkScope, { snapshotId }: SnapshotToDrop, context: WriteContext): Promise<Empty> {
      await context.write((tx) => this.transfer.dropSnapshot(tx, snapshotId));
      return {};
    }

    @Handles(write)
    async write(_scope: WorkScope, { table, rows: written }: RowsOfTable, context: WriteContext): Promise<Empty> {
      await context.write((tx) => this.transfer.write(tx, table, written));
      return {};
    }
  }
  return TransferHandlers;
};
