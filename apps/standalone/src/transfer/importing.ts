import {
  conversationsTransfer,
  foldersTransfer,
  peopleTransfer,
  processesTransfer,
  restoreInstallation,
  spacesTransfer,
  type TransferCalls,
  transferredConversations,
  transferredFolders,
  transferredPeople,
  transferredProcesses,
  transferredSpaces,
} from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { anonymous, WorkScope } from '@acervo/rbac';
import type { Print } from '../kernel/print';
import { type ExportedGroup, type ExportFile, ExportUnusable, type Rows } from './export-file';
import { fittingRows, type LeftOut } from './fitting-rows';
import { parentsFirst } from './parents-first';

/** Rows per call; each call writes them in one short transaction. */
const SLICE = 50;

const write = async (
  calls: Calls,
  { write: call }: TransferCalls,
  scope: WorkScope,
  { tables, content }: { readonly tables: readonly string[]; readonly content: Rows },
): Promise<void> => {
  for (const table of tables) {
    const rows = parentsFirst(table, content[table] ?? []);
    for (let from = 0; from < rows.length; from += SLICE)
      await calls.send(call, scope, { table, rows: rows.slice(from, from + SLICE) });
  }
};

/** Answers what was left out. */
const importGroup = async (calls: Calls, exported: ExportedGroup): Promise<LeftOut> => {
  const { group, leftOut } = fittingRows(exported);
  const { groupId, people, folders, spaces = {}, conversations = {}, processes = {} } = group;
  const scope = new WorkScope(groupId, 'standalone', 'import');
  await write(calls, peopleTransfer, scope, { tables: transferredPeople, content: people });
  await write(calls, foldersTransfer, scope, { tables: transferredFolders, content: folders });
  await write(calls, spacesTransfer, scope, { tables: transferredSpaces, content: spaces });
  await write(calls, conversationsTransfer, scope, { tables: transferredConversations, content: conversations });
  await write(calls, processesTransfer, scope, { tables: transferredProcesses, content: processes });
  return leftOut;
};

const printLeftOut = ({ rows, spaces, conversations, processes }: LeftOut, print: Print): void => {
  if (rows > 0)
    print(
      `Left out: ${rows} rows of folders, documents and links of areas to them, which came or went while the export ran. Folders that exist are ingested again; check the links of areas.`,
    );
  if (spaces > 0)
    print(`Left out: ${spaces} spaces whose user or entity is not in the export. Create again what is still needed.`);
  if (conversations > 0) print(`Left out: ${conversations} conversations whose user is not in the export.`);
  if (processes > 0) print(`Left out: ${processes} processes whose user or entity is not in the export.`);
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
  const leftOut: LeftOut[] = [];
  for (const group of groups) leftOut.push(await importGroup(calls, group));
  print(
    `Imported: ${groups.length} groups with their users, keys, roles, spaces, conversations, processes and deleted documents. The keys stay valid.`,
  );
  const total = (count: (each: LeftOut) => number): number => leftOut.reduce((sum, each) => sum + count(each), 0);
  printLeftOut(
    {
      rows: total(({ rows }) => rows),
      spaces: total(({ spaces }) => spaces),
      conversations: total(({ conversations }) => conversations),
      processes: total(({ processes }) => processes),
    },
    print,
  );
};
