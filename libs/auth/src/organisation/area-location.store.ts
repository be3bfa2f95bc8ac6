import type { Transaction } from '@acervo/platform-database';

/** One link; a removal and its preview read it alike. */
const LINK = `from auth.area_location where group_id = $1 and area_code = $2 and location_code = $3`;

/** Folders that areas are linked to, by their codes. */
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

  /** Whether the link was there. */
  async remove(tx: Transaction, areaCode: string, locationCode: string): Promise<boolean> {
    const gone = await tx.query(`delete ${LINK} returning area_code`, [tx.groupId, areaCode, locationCode]);
    return gone.length > 0;
  }

  /** Takes folders off whatever areas they are linked to. */
  async removeAll(tx: Transaction, locationCodes: readonly string[]): Promise<void> {
    await tx.query(`delete from auth.area_location where group_id = $1 and location_code = any($2::text[])`, [
      tx.groupId,
      locationCodes,
    ]);
  }

  /** How many areas are linked to one of these folders. */
  async areasAt(tx: Transaction, locationCodes: readonly string[]): Promise<number> {
    const [row] = await tx.query<{ areas: number }>(
      `select count(distinct area_code)::int as areas from auth.area_location
       where group_id = $1 and location_code = any($2::text[])`,
      [tx.groupId, locationCodes],
    );
    return row?.areas ?? 0;
  }

  /** Whether the link is there. */
  async has(tx: Transaction, areaCode: string, locationCode: string): Promise<boolean> {
    return (await tx.query(`select ${LINK}`, [tx.groupId, areaCode, locationCode])).length > 0;
  }
}
