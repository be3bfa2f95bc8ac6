import { Injectable } from '@nestjs/common';
import { NotFound } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import type { MembersOfSpace } from '../legs/searched-documents';
import { seesSpace, type SpaceOwnership } from './space-access';

interface VersionRow extends SpaceOwnership {
  readonly version: number;
}

/** The members that a space is read at, for searches and readings within it. */
@Injectable()
export class SpaceMembers {
  /** Sends one statement, which reads no list. @throws NotFound for a space that is absent or invisible */
  async membersFor(tx: Transaction, scope: Scope, spaceId: number): Promise<MembersOfSpace> {
    const [row] = await tx.prepared<VersionRow>(
      `select type, entity_code as "entityCode", owner_id as "ownerId", version from retrieval.space
       where group_id = $1 and space_id = $2::bigint`,
      [tx.groupId, spaceId],
    );
    if (row === undefined || !seesSpace(scope, row)) throw new NotFound();
    return { spaceId, version: row.version };
  }
}
