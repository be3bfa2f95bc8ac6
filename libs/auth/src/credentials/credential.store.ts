import { Injectable } from '@nestjs/common';
import type { Profile } from '@acervo/public-mapping';
import type { Transaction } from '@acervo/platform-database';
import { functionsOf, functionsOfUser, highestLevel, seenBy } from '../kernel/role-sql';

/** An entity of a user, whole or one area of it. */
export interface EntityGrant {
  readonly entity: string;
  readonly area: string | null;
}

/** The source of a credential's scope, for keys and sessions. */
export interface Holder {
  readonly groupCode: string;
  readonly userId: string;
  readonly userCode: string;
  readonly userName: string;
  /** Null when the owner no longer has the role. */
  readonly roleCode: string | null;
  readonly profile: Profile | null;
  readonly functions: readonly string[];
  readonly grants: readonly EntityGrant[];
  readonly fixedEntity: string | null;
  readonly fixedArea: string | null;
  readonly activeEntity: string | null;
  readonly activeArea: string | null;
}

/** What limits the keys that a user creates. */
export interface Creator {
  /** The highest level now; null for a deleted or disabled user. */
  readonly profile: Profile | null;
  /** The screens of all roles. */
  readonly functions: readonly string[];
}

/** A key with everything that decides its current rights, read in one statement. */
export interface KeyRecord extends Holder {
  readonly secretHash: Buffer;
  readonly pepperVersion: number;
  readonly revoked: boolean;
  readonly userState: string;
  readonly creator: Creator;
  readonly createdBy: string;
  /** The creator's own group; null for the group of the key. */
  readonly createdIn: string | null;
}

const creatorSql = (group: string, user: string): string => `json_build_object('profile', ${highestLevel(group, user)},
    'functions', ${functionsOfUser(group, user)})`;

const KEY_RECORD = `
select k.secret_hash as "secretHash", k.pepper_version as "pepperVersion", k.revoked_at is not null as revoked,
  g.code as "groupCode", u.user_id as "userId", u.email as "userCode", u.name as "userName", u.state as "userState",
  r.code as "roleCode", r.profile,
  ${creatorSql('k.group_id', 'k.created_by')} as creator, k.created_by as "createdBy", k.created_in as "createdIn",
  ${functionsOf('k.group_id', 'r')} as functions,
  coalesce((select json_agg(json_build_object('entity', e.entity_code, 'area', e.area_code) order by e.entity_code)
    from auth.user_entity e where e.group_id = k.group_id and e.user_id = k.user_id
      and (k.fixed_entity is null or e.entity_code = k.fixed_entity)), '[]') as grants,
  k.fixed_entity as "fixedEntity", k.fixed_area as "fixedArea", k.active_entity as "activeEntity", k.active_area as "activeArea"
from auth.api_key k
join auth.tenant_group g on g.group_id = k.group_id
join auth.app_user u on u.group_id = k.group_id and u.user_id = k.user_id
left join auth.user_role ur on ur.group_id = k.group_id and ur.user_id = k.user_id and ur.role_id = k.role_id
left join auth.role_list r on r.role_id = ur.role_id and ${seenBy('$1', 'r')}
where k.group_id = $1 and k.key_id = $2`;

const TODAY = `(now() at time zone 'UTC')::date`;

/** A row that another transaction has locked is left for the next use: a note waits for nothing, and nothing for it. */
const NOTE_USE = `update auth.api_key set last_used_on = ${TODAY} where group_id = $1 and ctid = any(array(
  select ctid from auth.api_key where group_id = $1 and key_id = any($2::text[])
    and last_used_on is distinct from ${TODAY} for update skip locked))`;

@Injectable()
export class CredentialStore {
  async key(tx: Transaction, keyId: string): Promise<KeyRecord | undefined> {
    const [row] = await tx.prepared<KeyRecord>(KEY_RECORD, [tx.groupId, keyId]);
    return row;
  }

  /** Notes that keys of the group are used today. A key that is noted today already is not written. */
  async noteUse(tx: Transaction, keyIds: readonly string[]): Promise<void> {
    await tx.query(NOTE_USE, [tx.groupId, keyIds]);
  }

  /** The current rights of a user of this group, for the keys that it created elsewhere. */
  async creator(tx: Transaction, userId: string): Promise<Creator> {
    const [row] = await tx.prepared<{ creator: Creator }>(`select ${creatorSql('$1', '$2')} as creator`, [
      tx.groupId,
      userId,
    ]);
    return row?.creator ?? { profile: null, functions: [] };
  }
}
