import { Injectable } from '@nestjs/common';
import { type ApiKeyItem, MOST_LISTED_KEYS } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import type { Profile } from '@acervo/public-mapping';
import { seenBy } from '../kernel/role-sql';

/** A role that a user has. */
export interface OwnedRole {
  readonly userId: string;
  readonly userCode: string;
  readonly roleId: number;
  readonly roleCode: string;
  readonly profile: Profile;
}

/** Where a user may fix a key to: its entity and the area that it has of it. */
export interface OwnedEntity {
  readonly entity: string;
  readonly area: string | null;
}

const ITEM = `k.key_id as "keyId", k.name, u.email as "ownerCode", coalesce(r.code, '') as "roleCode",
  k.fixed_entity as "entityCode", k.fixed_area as "areaCode",
  to_char(k.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "createdAt",
  to_char(k.last_used_on, 'YYYY-MM-DD') as "lastUsedOn"`;

/** Keys of a group as people manage them. */
@Injectable()
export class ApiKeyStore {
  /** Active keys: of one owner, or of all users; one more than a list holds where there are too many. */
  list(tx: Transaction, ownerId: string | null, keyId: string | null = null): Promise<ApiKeyItem[]> {
    return tx.query<ApiKeyItem>(
      `select ${ITEM} from auth.api_key k join auth.app_user u on u.group_id = k.group_id and u.user_id = k.user_id
       left join auth.role_list r on r.role_id = k.role_id and ${seenBy('k.group_id', 'r')}
       where k.group_id = $1 and k.revoked_at is null and ($2::uuid is null or k.user_id = $2)
         and ($3::text is null or k.key_id = $3)
       order by k.created_at, k.key_id limit ${MOST_LISTED_KEYS + 1}`,
      [tx.groupId, ownerId, keyId],
    );
  }

  async one(tx: Transaction, keyId: string): Promise<ApiKeyItem> {
    const [item] = await this.list(tx, null, keyId);
    if (item === undefined) throw new Error('A key was not stored.');
    return item;
  }

  /** Roles of an active user, the main one first; empty for a missing user. */
  roles(tx: Transaction, owner: { readonly id: string } | { readonly code: string }): Promise<OwnedRole[]> {
    const [column, value] = 'id' in owner ? ['u.user_id', owner.id] : ['u.email', owner.code];
    return tx.query<OwnedRole>(
      `select u.user_id as "userId", u.email as "userCode", r.role_id as "roleId", r.code as "roleCode", r.profile
       from auth.app_user u join auth.user_role ur on ur.group_id = u.group_id and ur.user_id = u.user_id
       join auth.role_list r on r.role_id = ur.role_id and ${seenBy('ur.group_id', 'r')}
       where u.group_id = $1 and ${column} = $2 and u.state = 'ACTIVO' order by ur.position, ur.role_id`,
      [tx.groupId, value],
    );
  }

  async entityOf(tx: Transaction, userId: string, entityCode: string): Promise<OwnedEntity | undefined> {
    const [row] = await tx.query<OwnedEntity>(
      `select entity_code as entity, area_code as area from auth.user_entity
       where group_id = $1 and user_id = $2 and entity_code = $3`,
      [tx.groupId, userId, entityCode],
    );
    return row;
  }

  /** The entity of an area, and the area with all above it; undefined for a missing area. */
  async areaPath(tx: Transaction, code: string): Promise<{ entity: string; above: string[] } | undefined> {
    const [row] = await tx.query<{ entity: string | null; above: string[] | null }>(
      `with recursive up as (
         select code, parent_code, entity_code from auth.area where group_id = $1 and code = $2
         union select a.code, a.parent_code, a.entity_code from auth.area a join up on a.group_id = $1 and a.code = up.parent_code)
       select (select entity_code from auth.area where group_id = $1 and code = $2) as entity,
         (select array_agg(code) from up) as above`,
      [tx.groupId, code],
    );
    return row?.entity == null || row.above === null ? undefined : { entity: row.entity, above: row.above };
  }

  /** Revokes by the exact name: a key of one owner, or of any user in the group. Returns the owner's code. */
  async revoke(tx: Transaction, keyId: string, ownerId: string | null): Promise<string | undefined> {
    const [row] = await tx.query<{ email: string }>(
      `update auth.api_key k set revoked_at = now() from auth.app_user u
       where k.group_id = $1 and k.key_id = $2 and k.revoked_at is null and ($3::uuid is null or k.user_id = $3)
         and u.group_id = k.group_id and u.user_id = k.user_id returning u.email`,
      [tx.groupId, keyId, ownerId],
    );
    return row?.email;
  }
}
