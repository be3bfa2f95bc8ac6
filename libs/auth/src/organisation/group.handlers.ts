import { Injectable } from '@nestjs/common';
import { type GroupRecord, type GroupUpdate, updateGroup } from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import type { Scope } from '@acervo/rbac';
import { onlyRow } from '@acervo/platform-database';
import { Reach } from './reach';

/** The group itself. */
@Injectable()
export class GroupHandlers {
  @Handles(updateGroup)
  update(scope: Scope, { name }: GroupUpdate, context: WriteContext): Promise<GroupRecord> {
    return context.write(async (tx) => {
      (await Reach.of(tx, scope)).assertWholeGroup();
      return onlyRow(
        await tx.query<GroupRecord>(`update auth.tenant_group set name = $2 where group_id = $1 returning code, name`, [
          tx.groupId,
          name,
        ]),
      );
    });
  }
}
