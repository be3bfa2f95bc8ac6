import { Injectable } from '@nestjs/common';
import type { Selection, Transaction } from '@acervo/platform-database';
import { holdersOfArea } from './area-dependents';

/** Links to folders that are deleted: the preview of the deletion counts their areas. */
const LINKS_TO = `auth.area_location where group_id = $1 and location_code = any($2::text[])`;

/** Folders that areas are linked to, by their codes. */
@Injectable()
export class AreaLocationStore {
  /** Codes in order, those after the last one of the page before. */
  async list(tx: Transaction, areaCode: string, after: string | null, limit: number): Promise<{ code: string }[]> {
    return tx.query<{ code: string }>(
      `select location_code as code from auth.area_location where group_id = $1 and area_code = $2
         and ($3::text is null or location_code collate "C" > $3) order by location_code collate "C" limit $4`,
      [tx.groupId, areaCode, after, limit],
    );
  }

  async add(tx: Transaction, areaCode: string, locationCode: string): Promise<void> {
    await tx.query(
      `insert into auth.area_location (group_id, area_code, location_code) values ($1, $2, $3) on conflict do nothing`,
      [tx.groupId, areaCode, locationCode],
    );
  }

  /** The link that a removal deletes, and the users and keys that reach the area. */
  selectAffected(
    { groupId }: Transaction,
    areaCode: string,
    locationCode: string,
  ): Selection<'links' | keyof typeof holdersOfArea> {
    const links = {
      from: 'auth.area_location l',
      where: 'l.group_id = $1 and l.area_code = $2 and l.location_code = $3',
    };
    return { rows: { links, ...holdersOfArea }, params: [groupId, areaCode, locationCode] };
  }

  /** Whether the link was there. */
  async remove(tx: Transaction, areaCode: string, locationCode: string): Promise<boolean> {
    const { rows, params } = this.selectAffected(tx, areaCode, locationCode);
    const { from, where } = rows.links;
    const gone = await tx.query(`delete from ${from} where ${where} returning l.area_code`, params);
    return gone.length > 0;
  }

  /** Unlinks folders from all areas. */
  async removeAll(tx: Transaction, locationCodes: readonly string[]): Promise<void> {
    await tx.query(`delete from ${LINKS_TO}`, [tx.groupId, locationCodes]);
  }

  /** How many areas are linked to one of these folders. */
  async areasAt(tx: Transaction, locationCodes: readonly string[]): Promise<number> {
    const [row] = await tx.query<{ areas: number }>(`select count(distinct area_code)::int as areas from ${LINKS_TO}`, [
      tx.groupId,
      locationCodes,
    ]);
    return row?.areas ?? 0;
  }
}
