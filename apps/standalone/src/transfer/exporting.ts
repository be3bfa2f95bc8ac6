import {
  type Call,
  exportFolders,
  exportPeople,
  listGroups,
  type PageOfRows,
  transferredFolders,
  type TransferredGroup,
  transferredPeople,
  type TransferredRows,
} from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { anonymous, WorkScope } from '@acervo/rbac';
import type { DataDirectory } from '../resources/data-directory';
import type { Print } from '../folders/ingest-folder';
import { EXPORT_VERSION, type ExportedGroup, secretsOf, writeExport } from './export-file';

type Reading = Call<PageOfRows, TransferredRows, 'work'>;
type Row = Readonly<Record<string, unknown>>;

/** All rows of one table of a group, page by page. */
const rowsOf = async (calls: Calls, call: Reading, scope: WorkScope, table: string): Promise<Row[]> => {
  const all: Row[] = [];
  for (let after: Row | null = null; ;) {
    const { rows }: TransferredRows = await calls.send(call, scope, { table, after });
    all.push(...rows);
    after = rows.at(-1) ?? null;
    if (after === null) return all;
  }
};

const tablesOf = async (
  calls: Calls,
  call: Reading,
  scope: WorkScope,
  tables: readonly string[],
): Promise<Record<string, Row[]>> => {
  const read: Record<string, Row[]> = {};
  for (const table of tables) read[table] = await rowsOf(calls, call, scope, table);
  return read;
};

const exportGroup = async (calls: Calls, { groupId, code, first }: TransferredGroup): Promise<ExportedGroup> => {
  const scope = new WorkScope(groupId, 'standalone', 'export');
  const people = await tablesOf(calls, exportPeople, scope, transferredPeople);
  const folders = await tablesOf(calls, exportFolders, scope, transferredFolders);
  return { groupId, code, first, people, folders };
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
  const rows = (part: 'people' | 'folders', table: string): number => total((group) => group[part][table]?.length ?? 0);
  print(
    `Exported to ${file}: ${exported.length} groups, ${rows('people', 'app_user')} users, ${rows('people', 'api_key')} keys, ${rows('folders', 'document')} documents by name, ${total(deleted)} of them deleted, ${directory.folders.length} folders.`,
  );
  print(
    `The server key lies beside it, in ${secretsOf(file)}: keep the two apart. docs/export.md describes their contents.`,
  );
};
