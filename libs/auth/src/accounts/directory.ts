import { Injectable } from '@nestjs/common';
import { NotFound } from '@acervo/contracts';
import type { DirectoryUser } from '@acervo/contracts';
import type { TenantScope } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { DirectoryDatabase } from '../databases/databases';
import { isSystem } from '../kernel/authority';

/** A group with its public code and its id. */
export interface GroupLocation {
  readonly groupId: string;
  readonly groupCode: string;
}

export interface PageOf {
  readonly q: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

const MATCHES = `($1::text is null or position(lower($1) in lower(d.name)) > 0 or position(lower($1) in d.email) > 0)`;

/** Finds people and groups by code across groups. Its login reads the two directories and nothing else. */
@Injectable()
export class Directory {
  constructor(private readonly database: DirectoryDatabase) {}

  /**
   * The group of a request: the active one, or the one that a SYSTEM user names.
   * @throws NotFound for a missing group. For all other users, and under a fixed key, also for any other group.
   */
  async groupFor(scope: Scope, groupCode: string | undefined): Promise<GroupLocation> {
    if (groupCode === undefined || groupCode === scope.groupCode)
      return { groupId: scope.groupId, groupCode: scope.groupCode };
    if (!isSystem(scope) || scope.isFixed === true) throw new NotFound();
    const found = await this.group(groupCode);
    if (found === undefined) throw new NotFound();
    return found;
  }

  async group(groupCode: string): Promise<GroupLocation | undefined> {
    return this.database.ungrouped(async (tx) => {
      const [row] = await tx.query<GroupLocation>(
        `select group_id as "groupId", code as "groupCode" from auth.group_directory where code = $1`,
        [groupCode],
      );
      return row;
    });
  }

  async groups(): Promise<readonly TenantScope[]> {
    return this.database.ungrouped((tx) =>
      tx.query<TenantScope>(`select group_id as "groupId" from auth.group_directory order by group_id`),
    );
  }

  /** The group of the user who confirmed an address. */
  async ownerOf(email: string): Promise<Pick<GroupLocation, 'groupId'> | undefined> {
    return this.database.ungrouped(async (tx) => {
      const [row] = await tx.query<Pick<GroupLocation, 'groupId'>>(
        `select group_id as "groupId" from auth.login_directory where email = $1 and confirmed`,
        [email],
      );
      return row;
    });
  }

  /** People of all groups by name. */
  async users({ q, limit, offset }: PageOf): Promise<readonly DirectoryUser[]> {
    return this.database.ungrouped((tx) =>
      tx.query<DirectoryUser>(
        `select d.email as code, d.name, d.state, g.code as "groupCode", g.name as "groupName"
         from auth.login_directory d join auth.group_directory g on g.group_id = d.group_id
         where ${MATCHES} order by lower(d.name), d.email, g.code limit $2 offset $3`,
        [q ?? null, limit, offset],
      ),
    );
  }

  async countUsers(q: string | undefined): Promise<number> {
    return this.database.ungrouped(async (tx) => {
      const [row] = await tx.query<{ total: number }>(
        `select count(*)::int as total from auth.login_directory d where ${MATCHES}`,
        [q ?? null],
      );
      return row?.total ?? 0;
    });
  }
}
