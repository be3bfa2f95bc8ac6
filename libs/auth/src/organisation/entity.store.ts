import { Injectable } from '@nestjs/common';
import type { EntityItem } from '@acervo/contracts';
import { onlyRow, type Selection, type Transaction, uniquely } from '@acervo/platform-database';
import { OrganisationConflict } from '../kernel/auth.errors';
import { assertRoom } from '../kernel/row-limits';
import { freeCode } from './numbering';
import type { Reach } from './reach';

export interface EntityQuery {
  readonly query: string | undefined;
  readonly after: string | null;
  readonly limit: number;
}

/** What depends on an entity within this service. */
export interface OwnEntityCounts {
  readonly areas: number;
  readonly users: number;
  readonly keys: number;
}

const ITEM = `select e.code, e.name,
  exists (select from auth.area a where a.group_id = e.group_id and a.entity_code = e.code) as "hasAreas"
from auth.entity e where e.group_id = $1 and ($2::text[] is null or e.code = any($2))`;

const LIST = `${ITEM}
  and ($3::text is null or position(lower($3) in lower(e.name)) > 0 or position(lower($3) in lower(e.code)) > 0)
  and ($4::text is null or e.code collate "C" > $4) order by e.code collate "C" limit $5`;

const codesOf = (reach: Reach): readonly string[] | null => reach.parts?.map(({ entity }) => entity) ?? null;

/** The entities of a group. Entities out of the caller's reach count as missing. */
@Injectable()
export class EntityStore {
  list(tx: Transaction, reach: Reach, { query, after, limit }: EntityQuery): Promise<EntityItem[]> {
    return tx.query<EntityItem>(LIST, [tx.groupId, codesOf(reach), query ?? null, after, limit]);
  }

  /** @throws NotFound */
  async get(tx: Transaction, reach: Reach, code: string): Promise<EntityItem> {
    return onlyRow(await tx.query<EntityItem>(`${ITEM} and e.code = $3`, [tx.groupId, codesOf(reach), code]));
  }

  /** Like `get`, and locks the entity until the transaction ends. @throws NotFound */
  async lock(tx: Transaction, reach: Reach, code: string): Promise<void> {
    const sql = `select code from auth.entity where group_id = $1 and code = $2 and ($3::text[] is null or code = any($3)) for update`;
    onlyRow(await tx.query(sql, [tx.groupId, code, codesOf(reach)]));
  }

  /** Returns the code of the new entity. @throws OrganisationConflict for a code that is taken. */
  async create(tx: Transaction, name: string, code: string | undefined): Promise<string> {
    await assertRoom(tx, 'entity');
    const chosen = code ?? (await freeCode(tx, 'entity'));
    await uniquely(new OrganisationConflict('CODE_TAKEN'), () =>
      tx.query(`insert into auth.entity (group_id, code, name) values ($1, $2, $3)`, [tx.groupId, chosen, name]),
    );
    return chosen;
  }

  async rename(tx: Transaction, code: string, name: string): Promise<void> {
    await tx.query(`update auth.entity set name = $3 where group_id = $1 and code = $2`, [tx.groupId, code, name]);
  }

  /** These rows refuse a deletion; its preview counts them. */
  selectAffected({ groupId }: Transaction, code: string): Selection<keyof OwnEntityCounts> {
    return {
      rows: {
        areas: { from: 'auth.area a', where: 'a.group_id = $1 and a.entity_code = $2' },
        users: { from: 'auth.user_entity u', where: 'u.group_id = $1 and u.entity_code = $2' },
        keys: { from: 'auth.api_key k', where: 'k.group_id = $1 and k.fixed_entity = $2 and k.revoked_at is null' },
      },
      params: [groupId, code],
    };
  }

  /** @throws OrganisationConflict for the last entity. Two concurrent deletions wait for each other. */
  async assertNotLast(tx: Transaction, code: string): Promise<void> {
    await tx.query(`select from auth.tenant_group where group_id = $1 for update`, [tx.groupId]);
    const others = await tx.query(`select from auth.entity where group_id = $1 and code <> $2 limit 1`, [
      tx.groupId,
      code,
    ]);
    if (others.length === 0) throw new OrganisationConflict('LAST_ENTITY');
  }

  /** Deletes an entity without dependents, and clears starts in it. Stored foci on it become stale. */
  async delete(tx: Transaction, code: string): Promise<void> {
    await tx.query(
      `update auth.app_user set default_entity = null, default_area = null where group_id = $1 and default_entity = $2`,
      [tx.groupId, code],
    );
    await tx.query(`delete from auth.entity where group_id = $1 and code = $2`, [tx.groupId, code]);
  }
}
