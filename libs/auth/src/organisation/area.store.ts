import { Injectable } from '@nestjs/common';
import type { AreaItem } from '@acervo/contracts';
import { onlyRow, type Transaction, uniquely } from '@acervo/platform-database';
import { freeCode } from './numbering';
import { OrganisationConflict } from '../kernel/auth.errors';
import { assertRoom } from '../kernel/row-limits';
import type { Reach } from './reach';

/** Levels of areas that an entity may have. */
export const DEEPEST = 12;

/** Areas of one entity: all, or those from one area down. */
export interface Branch {
  readonly entityCode: string;
  readonly root: string | null;
}

export interface AreaQuery extends Branch {
  readonly parentCode: string | undefined;
  readonly query: string | undefined;
  readonly after: string | null;
  readonly limit: number;
}

/** The place of an area within the reach of its caller. */
export interface AreaPlace {
  readonly code: string;
  readonly entityCode: string;
  /** The area itself and the areas above it. */
  readonly above: readonly string[];
  /** The caller reaches the entity from this area down only. */
  readonly isRoot: boolean;
}

export interface AreaDraft {
  readonly entityCode: string;
  readonly name: string;
  readonly code: string | undefined;
  readonly parentCode: string | null;
}

const BRANCH = `with recursive branch as (
  select code, name, parent_code, entity_code from auth.area
  where group_id = $1 and entity_code = $2 and ($3::text is null and parent_code is null or code = $3)
  union select a.code, a.name, a.parent_code, a.entity_code from auth.area a
  join branch on a.group_id = $1 and a.parent_code = branch.code)`;

const ITEM = `b.code, b.name, case when b.code = $3 then null else b.parent_code end as "parentCode", b.entity_code as "entityCode",
  exists (select from auth.area c where c.group_id = $1 and c.parent_code = b.code) as "hasChildren"`;

const LIST = `${BRANCH} select ${ITEM} from branch b
  where ($4::text is null or b.parent_code = $4 and b.code is distinct from $3)
    and ($5::text is null or position(lower($5) in lower(b.name)) > 0 or position(lower($5) in lower(b.code)) > 0)
    and ($6::text is null or b.code collate "C" > $6)
  order by b.code collate "C" limit $7`;

/** An area by its code, unless it lies outside of the entities and areas in \`$3`; null there: nothing lies outside. */
const PLACE = `with recursive up as (
  select code, parent_code from auth.area where group_id = $1 and code = $2
  union select a.code, a.parent_code from auth.area a join up on a.group_id = $1 and a.code = up.parent_code)
select a.code, a.entity_code as "entityCode", (select array_agg(code) from up) as above, coalesce(r.area = a.code, false) as "isRoot"
from auth.area a left join jsonb_to_recordset($3::jsonb) as r(entity text, area text) on r.entity = a.entity_code
where a.group_id = $1 and a.code = $2
  and ($3::jsonb is null or r.entity is not null and (r.area is null or r.area in (select code from up)))`;

const HEIGHT = `with recursive down as (
  select code, 1 as level from auth.area where group_id = $1 and code = $2
  union select a.code, down.level + 1 from auth.area a join down on a.group_id = $1 and a.parent_code = down.code)
select max(level)::int as height from down`;

/** Trees of areas, one an entity. Areas out of the caller's reach count as missing. */
@Injectable()
export class AreaStore {
  list(tx: Transaction, { entityCode, root, parentCode, query, after, limit }: AreaQuery): Promise<AreaItem[]> {
    const params = [tx.groupId, entityCode, root, parentCode ?? null, query ?? null, after, limit];
    return tx.query<AreaItem>(LIST, params);
  }

  /** @throws NotFound */
  async item(tx: Transaction, branch: Branch, code: string): Promise<AreaItem> {
    const sql = `${BRANCH} select ${ITEM} from branch b where b.code = $4`;
    return onlyRow(await tx.query<AreaItem>(sql, [tx.groupId, branch.entityCode, branch.root, code]));
  }

  /** @throws NotFound */
  async place(tx: Transaction, reach: Reach, code: string): Promise<AreaPlace> {
    const within = reach.parts === null ? null : JSON.stringify(reach.parts);
    return onlyRow(await tx.query<AreaPlace>(PLACE, [tx.groupId, code, within]));
  }

  /** Like `place`, and locks the tree, so that two concurrent moves make no circle. @throws NotFound */
  async lock(tx: Transaction, reach: Reach, code: string): Promise<AreaPlace> {
    await this.lockTree(tx, (await this.place(tx, reach, code)).entityCode);
    return this.place(tx, reach, code);
  }

  /** @throws NotFound */
  async assertEntity(tx: Transaction, entityCode: string): Promise<void> {
    onlyRow(await tx.query(`select code from auth.entity where group_id = $1 and code = $2`, [tx.groupId, entityCode]));
  }

  /** Locks the tree of an entity until the transaction ends. @throws NotFound for a missing entity. */
  async lockTree(tx: Transaction, entityCode: string): Promise<void> {
    onlyRow(
      await tx.query(`select code from auth.entity where group_id = $1 and code = $2 for update`, [
        tx.groupId,
        entityCode,
      ]),
    );
  }

  /** Returns the code of the new area. @throws OrganisationConflict for a code that is taken. */
  async create(tx: Transaction, { entityCode, name, code, parentCode }: AreaDraft): Promise<string> {
    await assertRoom(tx, 'area');
    const chosen = code ?? (await freeCode(tx, 'area'));
    await uniquely(new OrganisationConflict('CODE_TAKEN'), () =>
      tx.query(`insert into auth.area (group_id, code, entity_code, parent_code, name) values ($1, $2, $3, $4, $5)`, [
        tx.groupId,
        chosen,
        entityCode,
        parentCode,
        name,
      ]),
    );
    return chosen;
  }

  async rename(tx: Transaction, code: string, name: string): Promise<void> {
    await tx.query(`update auth.area set name = $3 where group_id = $1 and code = $2`, [tx.groupId, code, name]);
  }

  async move(tx: Transaction, code: string, parentCode: string | null): Promise<void> {
    await tx.query(`update auth.area set parent_code = $3 where group_id = $1 and code = $2`, [
      tx.groupId,
      code,
      parentCode,
    ]);
  }

  /** Levels from an area down, itself included. */
  async height(tx: Transaction, code: string): Promise<number> {
    return onlyRow(await tx.query<{ height: number }>(HEIGHT, [tx.groupId, code])).height;
  }

  /** Deletes an area without dependents, and clears starts in it. Stored foci on it become stale. */
  async delete(tx: Transaction, code: string): Promise<void> {
    await tx.query(`update auth.app_user set default_area = null where group_id = $1 and default_area = $2`, [
      tx.groupId,
      code,
    ]);
    await tx.query(`delete from auth.area where group_id = $1 and code = $2`, [tx.groupId, code]);
  }
}
