import { Injectable } from '@nestjs/common';
import {
  type Empty,
  type InstallationToRestore,
  listGroups,
  type RestoredInstallation,
  restoreInstallation,
  type TransferredGroup,
  type TransferredGroups,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import type { Anonymous } from '@acervo/rbac';
import { DirectoryDatabase } from '../databases/databases';

/** The groups of an installation, and the first one of a new installation. */
@Injectable()
export class InstallationHandlers {
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
