import { Injectable } from '@nestjs/common';
import { MOST_LISTED_ROOTS, NotFound, type ScopeClaims } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import type { AreaPath, AreaPaths } from './focus';

/** The folders that an area reaches; the hash of the set when there are too many. */
export interface ReachedFolders {
  readonly roots: readonly string[];
  readonly hash: string | null;
}

/** The places of the areas of a focus, and the folders that the effective area reaches. */
export interface AreaReach extends AreaPaths, ReachedFolders {}

/** The folders below an area ($2), as `reached`. */
const REACHED = `
  down as (
    select code from auth.area where group_id = $1 and code = $2
    union select a.code from auth.area a join down on a.group_id = $1 and a.parent_code = down.code),
  reached as (select distinct l.location_code as code from auth.area_location l
    where l.group_id = $1 and l.area_code in (select code from down))`;

/** Folders as a list in the order of their bytes, and the hash of that list. */
const LISTED = `coalesce(array_agg(r.code order by r.code collate "C"), '{}')`;
const HASHED = `encode(sha256(convert_to(coalesce(string_agg(r.code, E'\\n' order by r.code collate "C"), ''), 'UTF8')), 'hex')`;

/** Each given area with all areas above it; every row names the area that its path began at. */
const upFrom = (codes: string): string => `
  up as (
    select code, parent_code, entity_code, code as start from auth.area where group_id = $1 and code = any(${codes})
    union select a.code, a.parent_code, a.entity_code, up.start from auth.area a
      join up on a.group_id = $1 and a.code = up.parent_code)`;

const pathFrom = (start: string): string => `
  (select json_build_object('entity', (array_agg(entity_code) filter (where code = start))[1], 'above', json_agg(code))
    from up where start = ${start} having count(*) > 0)`;

const REACH = `
with recursive ${upFrom('array[$2::text, $3::text]')}, ${REACHED}
select ${pathFrom('$2')} as effective, ${pathFrom('$3')} as fixed,
  case when count(*) <= ${MOST_LISTED_ROOTS} then ${LISTED} else '{}' end as roots,
  case when count(*) > ${MOST_LISTED_ROOTS} then ${HASHED} end as hash
from reached r`;

const ROOTS = `with recursive ${REACHED} select ${LISTED} as roots, ${HASHED} as hash from reached r`;

const PATH = `with recursive ${upFrom('array[$2::text]')} select ${pathFrom('$2')} as path`;

/** A focus as the tables store it. */
export interface StoredFocus {
  readonly entity: string | null;
  readonly area: string | null;
}

/** Reads the areas of a focus, and stores the focus of a credential. */
@Injectable()
export class FocusStore {
  async reach(tx: Transaction, effective: string, fixed: string | null): Promise<AreaReach> {
    const [row] = await tx.prepared<AreaReach>(REACH, [tx.groupId, effective, fixed]);
    return row ?? { effective: null, fixed: null, roots: [], hash: null };
  }

  /** Every folder that an area reaches, without a limit, with the hash of the set. */
  async roots(tx: Transaction, area: string): Promise<{ readonly roots: readonly string[]; readonly hash: string }> {
    const [row] = await tx.query<{ roots: string[]; hash: string }>(ROOTS, [tx.groupId, area]);
    if (row === undefined) throw new Error('The statement returned no set of folders, not even an empty one.');
    return row;
  }

  /** Undefined for a missing area. */
  async path(tx: Transaction, code: string): Promise<AreaPath | undefined> {
    const [row] = await tx.query<{ path: AreaPath | null }>(PATH, [tx.groupId, code]);
    return row?.path ?? undefined;
  }

  /** Stores the focus of the credential; entity and area in one statement, so that they always belong together. */
  async set(
    tx: Transaction,
    scope: Pick<ScopeClaims, 'credential' | 'credentialId'>,
    focus: StoredFocus,
  ): Promise<void> {
    const { entity, area } = focus;
    await this.update(tx, scope, 'active_entity = $3, active_area = $4', [entity, area]);
  }

  /** Releases the area and leaves the entity as it is. */
  async releaseArea(tx: Transaction, scope: Pick<ScopeClaims, 'credential' | 'credentialId'>): Promise<void> {
    await this.update(tx, scope, 'active_area = null', []);
  }

  private async update(
    tx: Transaction,
    { credential, credentialId }: Pick<ScopeClaims, 'credential' | 'credentialId'>,
    change: string,
    values: readonly unknown[],
  ): Promise<void> {
    const [table, key] = credential === 'api_key' ? ['api_key', 'key_id'] : ['session', 'session_id'];
    const rows = await tx.query(
      `update auth.${table} set ${change} where group_id = $1 and ${key} = $2 returning ${key}`,
      [tx.groupId, credentialId, ...values],
    );
    if (rows.length === 0) throw new NotFound();
  }
}
