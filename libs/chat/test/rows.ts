import type { ServiceTestBed } from '@acervo/platform-test-bed';

const TABLES = [
  ...(['conversation', 'message', 'citation', 'asked_request', 'support_request'] as const),
  ...(['deleted_user', 'export_page'] as const),
];
type Table = (typeof TABLES)[number];

/** The rows of a group by table; tables without rows are left out. */
export const rowsOf = async (bed: ServiceTestBed, groupId: string): Promise<Partial<Record<Table, number>>> => {
  const counted = await bed.database.read({ groupId }, async (tx) => {
    const counts: [Table, number][] = [];
    for (const table of TABLES)
      counts.push([table, (await tx.query(`select from chat.${table} where group_id = $1`, [groupId])).length]);
    return counts;
  });
  return Object.fromEntries(counted.filter(([, count]) => count > 0));
};

/** Whether a text stands in any row of a group, whatever its column. */
export const stores = async (bed: ServiceTestBed, groupId: string, text: string): Promise<boolean> => {
  const found = await bed.database.read({ groupId }, async (tx) => {
    const rows: object[] = [];
    for (const table of TABLES)
      rows.push(
        ...(await tx.query(`select from chat.${table} t where t.group_id = $1 and strpos(t::text, $2) > 0`, [
          groupId,
          text,
        ])),
      );
    return rows;
  });
  return found.length > 0;
};
