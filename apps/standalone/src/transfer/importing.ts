import {
  type Call,
  type Empty,
  importFolders,
  importPeople,
  restoreInstallation,
  type RowsOfTable,
  transferredFolders,
  transferredPeople,
} from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { anonymous, WorkScope } from '@acervo/rbac';
import type { Print } from '../folders/ingest-folder';
import { type ExportedGroup, type ExportFile, ExportUnusable, type Rows } from './export-file';
import { fittingRows } from './fitting-rows';
import { parentsFirst } from './parents-first';

/** Rows per call; each call writes them in one short transaction. */
const SLICE = 50;

const write = async (
  calls: Calls,
  call: Call<RowsOfTable, Empty, 'work'>,
  scope: WorkScope,
  { tables, content }: { readonly tables: readonly string[]; readonly content: Rows },
): Promise<void> => {
  for (const table of tables) {
    const rows = parentsFirst(table, content[table] ?? []);
    for (let from = 0; from < rows.length; from += SLICE)
      await calls.send(call, scope, { table, rows: rows.slice(from, from + SLICE) });
  }
};

/** Answers how many rows were left out. */
const importGroup = async (calls: Calls, exported: ExportedGroup): Promise<number> => {
  const { group, leftOut } = fittingRows(exported);
  const { groupId, people, folders } = group;
  const scope = new WorkScope(groupId, 'standalone', 'import');
  await write(calls, importPeople, scope, { tables: transferredPeople, content: people });
  await write(calls, importFolders, scope, { tables: transferredFolders, content: folders });
  return leftOut;
};

/**
 * Imports an export into a new installation. Idempotent: existing rows stay unchanged.
 * @throws ExportUnusable if the installation has its own group
 */
export const importInstallation = async (calls: Calls, { groups }: ExportFile, print: Print): Promise<void> => {
  const first = groups.find((group) => group.first);
  if (first === undefined) throw new ExportUnusable('The export names no first group; make another with --export.');
  const { accepted } = await calls.send(restoreInstallation, anonymous, { firstGroup: first.groupId });
  if (!accepted)
    throw new ExportUnusable('This data directory has people of its own; import into a new one, named with --data.');
  let leftOut = 0;
  for (const group of groups) leftOut += await importGroup(calls, group);
  print(`Imported: ${groups.length} groups with their users, keys, roles and deleted documents. The keys stay valid.`);
  if (leftOut > 0)
    print(
      `Left out: ${leftOut} rows of folders, documents and links of areas to them, which came or went while the export ran. Folders that exist are ingested again; check the links of areas.`,
    );
};
