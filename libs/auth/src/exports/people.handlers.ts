import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  dropPeopleSnapshot,
  type Empty,
  exportPeople,
  importPeople,
  type InstallationToRestore,
  listGroups,
  type PageOfRows,
  type RestoredInstallation,
  restoreInstallation,
  type RowsOfTable,
  snapshotPeople,
  type SnapshotToDrop,
  type TakenSnapshot,
  type TransferredGroup,
  type TransferredGroups,
  type TransferredRows,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Database, Transfer } from '@acervo/platform-database';
import type { Anonymous, WorkScope } from '@acervo/rbac';
import { DirectoryDatabase } from '../databases/databases';
import { peopleTables, storedForm } from './tables';

/** Carries groups with their people to another installation, row by row. */
@Injectable()
export class PeopleTransferHandlers {
  private readonly transfer = new Transfer('auth', peopleTables);

  constructor(
    private readonly database: Database,
    private readonly directory: DirectoryDatabase,
  ) {}

  @Handles(listGroups)
  async groups(_scope: Anonymous, _input: Empty): Promise<TransferredGroups> {
    const first = await this.firstGroup();
    const groups = await this.directory.ungrouped((tx) =>
      tx.query<TransferredGroup>(
        `select group_id as "groupId", code, group_id = $1::uuid as first from auth.group_directory
         order by group_id = $1::uuid desc, code`,
        [first],
      ),
    );
    return { groups };
  }

  @Handles(snapshotPeople)
  async takeSnapshot(_scope: WorkScope, _input: Empty, context: WriteContext): Promise<TakenSnapshot> {
    const snapshotId = randomUUID();
    const tables = await context.writeFromSnapshot((tx) => this.transfer.takeSnapshot(tx, snapshotId));
    return { snapshotId, tables };
  }

  @Handles(exportPeople)
  async read(scope: WorkScope, page: PageOfRows): Promise<TransferredRows> {
    return { rows: await this.database.read(scope, (tx) => this.transfer.page(tx, page)) };
  }

  @Handles(dropPeopleSnapshot)
  async dropSnapshot(_scope: WorkScope, { snapshotId }: SnapshotToDrop, context: WriteContext): Promise<Empty> {
    await context.write((tx) => this.transfer.dropSnapshot(tx, snapshotId));
    return {};
  }

  @Handles(importPeople)
  async write(_scope: WorkScope, { table, rows }: RowsOfTable, context: WriteContext): Promise<Empty> {
    await context.write((tx) => this.transfer.write(tx, table, storedForm(table, rows)));
    return {};
  }

  @Handles(restoreInstallation)
  restore(
    _scope: Anonymous,
    { firstGroup }: InstallationToRestore,
    context: WriteContext,
  ): Promise<RestoredInstallation> {
    return context.writeIn({ groupId: firstGroup }, async (tx) => {
      await tx.query(`insert into auth.installation (id, group_id) values (1, $1) on conflict (id) do nothing`, [
        firstGroup,
      ]);
      const installed = await tx.query(`select from auth.installation where group_id = $1`, [firstGroup]);
      return { accepted: installed.length > 0 };
    });
  }

  private async firstGroup(): Promise<string | null> {
    const [row] = await this.database.ungrouped((tx) =>
      tx.query<{ group_id: string }>(`select group_id from auth.installation where id = 1`),
    );
    return row?.group_id ?? null;
  }
}
