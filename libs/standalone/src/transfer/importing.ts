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
import type { Say } from '../intake';
import { type ExportedGroup, type ExportFile, ExportUnusable, type Rows } from './export-file';
import { parentsFirst } from './parents-first';

/** Rows that one call writes, in one short transaction. */
const SLICE = 50;

const write = async (
  calls: Calls,
  call: Call<RowsOfTable, Empty, 'work'>,
  scope: WorkScope,
  { tables, given }: { readonly tables: readonly string[]; readonly given: Rows },
): Promise<void> => {
  for (const table of tables) {
    const rows = parentsFirst(table, given[table] ?? []);
    for (let from = 0; from < rows.length; from += SLICE)
      await calls.send(call, scope, { table, rows: rows.slice(from, from + SLICE) });
  }
};

const importGroup = async (calls: Calls, { groupId, people, folders }: ExportedGroup): Promise<void> => {
  const scope = new WorkScope(groupId, 'standalone', 'import');
  await write(calls, importPeople, scope, { tables: transferredPeople, given: people });
  await write(calls, importFolders, scope, { tables: transferredFolders, given: folders });
};

/**
 * Brings what was exported into an installation that is new. May be repeated: what is there already stays as it is.
 * @throws ExportUnusable where the installation has a group of its own.
 */
export const importInstallation = async (calls: Calls, { groups }: ExportFile, say: Say): Promise<void> => {
  const first = groups.find((group) => group.first);
  if (first === undefined) throw new ExportUnusable('The export names no first group; make another with --export.');
  const { accepted } = await calls.send(restoreInstallation, anonymous, { firstGroup: first.groupId });
  if (!accepted)
    throw new ExportUnusable('This data directory has people of its own; import into a new one, named with --data.');
  for (const group of groups) await importGroup(calls, group);
  say(`Imported: ${groups.length} groups with their users, keys, roles and deleted documents. The keys go on working.`);
};
