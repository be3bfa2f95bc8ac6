import type { TransferCalls } from '@acervo/contracts';
import { WorkScope } from '@acervo/rbac';
import type { ServiceTestBed } from './service-test-bed';

type Row = Readonly<Record<string, unknown>>;

/** Rows of an export by table. */
export type ExportedRows = Readonly<Record<string, readonly Row[]>>;

/** Scope of an operator who carries a group to another installation. */
export const carrierOf = (groupId: string): WorkScope => new WorkScope(groupId, 'standalone', 'export');

/** The rows of one part of a group. */
export const exportedRows = async (
  bed: ServiceTestBed,
  { take, read, drop }: TransferCalls,
  groupId: string,
): Promise<ExportedRows> => {
  const scope = carrierOf(groupId);
  const { snapshotId, tables } = await bed.send(take, scope, {});
  const exported: Record<string, readonly Row[]> = {};
  for (const { table, pages } of tables) {
    const asked = Array.from({ length: pages }, (_, page) => bed.send(read, scope, { snapshotId, table, page }));
    exported[table] = (await Promise.all(asked)).flatMap(({ rows }) => rows);
  }
  await bed.send(drop, scope, { snapshotId });
  return exported;
};

/** Writes exported rows, table by table. */
export const importRows = async (
  bed: ServiceTestBed,
  { write }: TransferCalls,
  groupId: string,
  tables: readonly string[],
  exported: ExportedRows,
): Promise<void> => {
  for (const table of tables) await bed.send(write, carrierOf(groupId), { table, rows: exported[table] ?? [] });
};
