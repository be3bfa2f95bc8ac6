import {
  conversationsTransfer,
  foldersTransfer,
  listGroups,
  peopleTransfer,
  processesTransfer,
  spacesTransfer,
  type TakenSnapshot,
  type TransferCalls,
  type TransferredGroup,
} from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { anonymous, WorkScope } from '@acervo/rbac';
import type { DataDirectory } from '../resources/data-directory';
import type { Print } from '../kernel/print';
import { EXPORT_VERSION, type ExportedGroup, ExportUnusable, secretsOf, writeExport } from './export-file';

type Row = Readonly<Record<string, unknown>>;

const expired = (): ExportUnusable =>
  new ExportUnusable('The rows of the export expired before they were read; nothing was written. Export again.');

/** @throws ExportUnusable for a snapshot that is gone */
const tablesOf = async (
  calls: Calls,
  { read }: TransferCalls,
  scope: WorkScope,
  { snapshotId, tables }: TakenSnapshot,
): Promise<Record<string, Row[]>> => {
  const exported: Record<string, Row[]> = {};
  for (const { table, pages } of tables) {
    const all: Row[] = (exported[table] = []);
    for (let page = 0; page < pages; page += 1) {
      const { rows } = await calls.send(read, scope, { snapshotId, table, page });
      if (rows.length === 0) throw expired();
      all.push(...rows);
    }
  }
  return exported;
};

/** The rows of one part. A snapshot that cannot be dropped expires. */
const exportPart = async (calls: Calls, part: TransferCalls, scope: WorkScope): Promise<Record<string, Row[]>> => {
  const snapshot = await calls.send(part.take, scope, {});
  try {
    return await tablesOf(calls, part, scope, snapshot);
  } finally {
    await calls.send(part.drop, scope, { snapshotId: snapshot.snapshotId }).catch(() => undefined);
  }
};

/**
 * Conversations, processes and spaces before people, and people before folders. Criteria of a space and links of an area
 * may then name a folder that is deleted meanwhile, whose code is never given again; never one that is new, whose code
 * the counter of the export would give to another folder.
 */
const exportGroup = async (calls: Calls, { groupId, code, first }: TransferredGroup): Promise<ExportedGroup> => {
  const scope = new WorkScope(groupId, 'standalone', 'export');
  const ofConversations = await exportPart(calls, conversationsTransfer, scope);
  const ofProcesses = await exportPart(calls, processesTransfer, scope);
  const ofSpaces = await exportPart(calls, spacesTransfer, scope);
  const ofPeople = await exportPart(calls, peopleTransfer, scope);
  const ofFolders = await exportPart(calls, foldersTransfer, scope);
  return {
    ...{ groupId, code, first, people: ofPeople, folders: ofFolders, spaces: ofSpaces },
    ...{ conversations: ofConversations, processes: ofProcesses },
  };
};

const deleted = ({ folders }: ExportedGroup): number =>
  (folders['document'] ?? []).filter((row) => row['deleted_at'] !== null).length;

/** Exports everything that the folders of an installation do not contain. @throws ExportUnusable */
export const exportInstallation = async (
  calls: Calls,
  directory: DataDirectory,
  file: string,
  print: Print,
): Promise<void> => {
  const { groups } = await calls.send(listGroups, anonymous, {});
  const exported: ExportedGroup[] = [];
  for (const group of groups) exported.push(await exportGroup(calls, group));
  const settings = { folders: directory.folders, embedder: directory.portableEmbedder };
  const createdAt = new Date().toISOString();
  const content = { acervo: 'export', version: EXPORT_VERSION, createdAt, settings, groups: exported } as const;
  writeExport(file, content, directory.keyPepper);
  const total = (count: (group: ExportedGroup) => number): number =>
    exported.reduce((sum, group) => sum + count(group), 0);
  const rows = (part: 'people' | 'folders' | 'spaces' | 'conversations' | 'processes', table: string): number =>
    total((group) => group[part]?.[table]?.length ?? 0);
  print(
    `Exported to ${file}: ${exported.length} groups, ${rows('people', 'app_user')} users, ${rows('people', 'api_key')} keys, ${rows('folders', 'document')} documents by name, ${total(deleted)} of them deleted, ${rows('spaces', 'space')} spaces, ${rows('conversations', 'conversation')} conversations, ${rows('processes', 'process')} processes, ${directory.folders.length} folders.`,
  );
  print(
    `The server key lies beside it, in ${secretsOf(file)}: keep the two apart. docs/export.md describes their contents.`,
  );
};
