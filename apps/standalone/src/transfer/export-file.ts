import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { EmbedderDescription } from '@acervo/models';
import { StartRefused } from '../kernel/start-refused';

/** Version of the file format. It rises with each change that an older program would misread. */
export const EXPORT_VERSION = 1;

export type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/** One group: rows by table, as docs/export.md lists them. */
export interface ExportedGroup {
  readonly groupId: string;
  readonly code: string;
  /** Whether it is the first group of the installation. */
  readonly first: boolean;
  readonly people: Rows;
  readonly folders: Rows;
  /** Absent in exports of earlier versions. */
  readonly spaces?: Rows;
  /** Absent in exports of earlier versions. */
  readonly conversations?: Rows;
  /** Absent in exports of earlier versions. */
  readonly processes?: Rows;
}

/** The content of an installation that its folders do not contain. */
export interface ExportFile {
  readonly acervo: 'export';
  readonly version: number;
  readonly createdAt: string;
  readonly settings: { readonly folders: readonly string[]; readonly embedder: EmbedderDescription | null };
  readonly groups: readonly ExportedGroup[];
}

/** The export cannot be used, and the user can correct the cause. */
export class ExportUnusable extends StartRefused {}

/** Path of the server key that made the hashes of an export: a separate file, as in a data directory. */
export const secretsOf = (file: string): string => `${file}.secrets`;

const writeWhole = (file: string, content: object, indent: number): void => {
  const temporaryPath = `${file}.part`;
  writeFileSync(temporaryPath, `${JSON.stringify(content, null, indent)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(temporaryPath, file);
};

/** Writes both files, each readable by its owner only. @throws ExportUnusable if one of them exists */
export const writeExport = (file: string, content: ExportFile, keyPepper: string): void => {
  const there = [file, secretsOf(file)].find((path) => existsSync(path));
  if (there !== undefined) throw new ExportUnusable(`${there} is there already; name another file with --export.`);
  writeWhole(secretsOf(file), { keyPepper }, 2);
  writeWhole(file, content, 1);
};

const parse = (file: string): unknown => {
  if (!existsSync(file)) throw new ExportUnusable(`${file} is not there; check the name.`);
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new ExportUnusable(`${file} cannot be read as JSON; it is no export, or not a whole one.`);
  }
};

const isRows = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.values(value).every((rows) => Array.isArray(rows));

const isGroup = (value: unknown): value is ExportedGroup => {
  const group = value as Partial<ExportedGroup> | null;
  const { spaces = {}, conversations = {}, processes = {} } = group ?? {};
  const parts = [group?.people, group?.folders, spaces, conversations, processes];
  return typeof group?.groupId === 'string' && parts.every(isRows);
};

/** The content of an export. @throws ExportUnusable with the reason and the remedy; nothing has changed */
export const readExport = (file: string): { readonly content: ExportFile; readonly keyPepper: string } => {
  const content = parse(file) as Partial<ExportFile>;
  if (content.acervo !== 'export' || !Number.isInteger(content.version))
    throw new ExportUnusable(`${file} is no export of Acervo; make one with --export.`);
  if ((content.version ?? 0) > EXPORT_VERSION)
    throw new ExportUnusable(
      `${file} was made by a newer version (layout ${content.version}, this one reads up to ${EXPORT_VERSION}); import it with that version.`,
    );
  const { groups, settings } = content;
  if (!Array.isArray(groups) || !groups.every(isGroup) || !Array.isArray(settings?.folders))
    throw new ExportUnusable(`${file} is not whole: groups or settings are missing; make another with --export.`);
  if (!existsSync(secretsOf(file)))
    throw new ExportUnusable(
      `${secretsOf(file)} is missing: without the server key in it no API key and no second factor would work. Put it beside the export.`,
    );
  const { keyPepper } = parse(secretsOf(file)) as { keyPepper?: unknown };
  if (typeof keyPepper !== 'string' || keyPepper.length < 16)
    throw new ExportUnusable(`${secretsOf(file)} contains no server key; use the one that was made with the export.`);
  return { content: content as ExportFile, keyPepper };
};
