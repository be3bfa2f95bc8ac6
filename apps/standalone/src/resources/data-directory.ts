import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { E5, type EmbedderDescription, isSameModel } from '@acervo/models';
import {
  assertDatabaseAt,
  assertEngineFits,
  assertSchemasKnown,
  DataDirectoryUnusable,
  databaseOf,
  hasDatabase,
  LAYOUT,
  type Manifest,
  readManifest,
} from './layout';
import { closeToOthers } from './private-tree';

export { DataDirectoryUnusable } from './layout';

/** Initial content of a new directory that continues another installation. */
export interface Seed {
  readonly keyPepper: string;
  readonly embedder: EmbedderDescription | null;
  readonly folders: readonly string[];
}

export interface Opening {
  /** Begins an import: the directory must be new, or one whose import was interrupted. */
  readonly seed?: Seed;
  /** Open an existing installation only, and create nothing. */
  readonly existing?: boolean;
}

const writeWhole = (file: string, content: object): void => {
  const temporaryPath = `${file}.part`;
  writeFileSync(temporaryPath, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporaryPath, file);
};

/**
 * @throws DataDirectoryUnusable for an import into an existing installation, and for an interrupted import without
 *   `seed`
 */
const assertImportFits = (
  path: string,
  { importing }: Manifest,
  { seed, keyPepper }: { readonly seed: Seed | undefined; readonly keyPepper: string },
): void => {
  if (seed === undefined && importing === true)
    throw new DataDirectoryUnusable(
      `An import into ${path} was interrupted; repeat it with the same --import FILE, or remove the directory.`,
    );
  if (seed !== undefined && (importing !== true || seed.keyPepper !== keyPepper))
    throw new DataDirectoryUnusable(
      `${path} contains an installation already; import into a new directory, named with --data.`,
    );
};

/** The files and settings of one installation. */
export class DataDirectory {
  private constructor(
    readonly path: string,
    private manifest: Manifest,
    /** Server key of the API keys; stored apart from the database that contains their hashes. */
    readonly keyPepper: string,
    /** The layout on disk when the directory was opened. */
    readonly openedFrom: number,
    /** Whether the directory has no database yet. */
    readonly isNew: boolean,
  ) {}

  /**
   * Opens the directory, or creates it. The content of an existing directory is only read here; `settleLayout` writes
   * upgrades, once no other process can have it open. Rights of other users are taken away at once.
   * @throws DataDirectoryUnusable for a directory that this version cannot use, that belongs to another program, that
   *   other users can read, or that is missing although `existing` requires it.
   */
  static open(path: string, { seed, existing = false }: Opening = {}): DataDirectory {
    const [manifestFile, secretsFile] = [join(path, 'acervo.json'), join(path, 'secrets.json')];
    if (existing && !existsSync(manifestFile))
      throw new DataDirectoryUnusable(
        `There is no installation in ${path}; check --data. A start with a folder creates one: npm start -- /path/to/folder`,
      );
    if (!existsSync(manifestFile)) DataDirectory.create(path, manifestFile, secretsFile, seed);
    const { manifest, from } = readManifest(path, readFileSync(manifestFile, 'utf8'));
    assertEngineFits(path);
    closeToOthers(path);
    const { keyPepper } = JSON.parse(readFileSync(secretsFile, 'utf8')) as { keyPepper: string };
    assertImportFits(path, manifest, { seed, keyPepper });
    return new DataDirectory(path, manifest, keyPepper, from, !hasDatabase(path));
  }

  get database(): string {
    return databaseOf(this.path);
  }

  get objects(): string {
    return join(this.path, 'objects');
  }

  /** Directory of outgoing mails, used without a mail server. */
  get mail(): string {
    return join(this.path, 'mail');
  }

  get log(): string {
    return join(this.path, 'logs', 'acervo.log');
  }

  /** Where e5 is installed by default: next to the documents, not in the checkout. */
  get e5(): string {
    return join(this.path, 'embedder', `e5-${E5.revision}`);
  }

  /** Removes what an earlier version installed below the directory of embedders. */
  removeEmbedder(name: string): void {
    rmSync(join(this.path, 'embedder', name), { recursive: true, force: true });
  }

  /** The embedder in use; null before the first start chose one. */
  get embedder(): EmbedderDescription | null {
    return this.manifest.embedder;
  }

  /** The embedder for an export to another machine: without an address that contains a password. */
  get portableEmbedder(): EmbedderDescription | null {
    const { embedder } = this;
    const isOpen = (url: string | null): boolean => url === null || new URL(url).password === '';
    if (embedder === null || (isOpen(embedder.url) && isOpen(embedder.queryUrl))) return embedder;
    return { ...embedder, url: null, queryUrl: null };
  }

  /** @throws DataDirectoryUnusable if its database is not at `place`; a directory without a recorded place passes */
  assertDatabaseAt(place: string): void {
    assertDatabaseAt(this.path, this.manifest, place);
  }

  /**
   * @param expected migrations of this program, by name
   * @throws DataDirectoryUnusable if a newer version has changed the schemas of the database
   */
  assertSchemasKnown(expected: readonly string[]): void {
    assertSchemasKnown(this.path, this.manifest, expected);
  }

  /** Records the current layout, the place of the database, and its migrations. */
  settleLayout(migrations: readonly string[], database: string): void {
    const { manifest, openedFrom } = this;
    const isKnown = manifest.migrations?.join() === migrations.join() && manifest.database === database;
    if (!isKnown || openedFrom !== LAYOUT) this.write({ ...manifest, format: LAYOUT, migrations, database });
  }

  /** Whether an import has begun and is not complete. */
  get importing(): boolean {
    return this.manifest.importing === true;
  }

  /** Records that the import is complete. */
  imported(): void {
    this.write({ ...this.manifest, importing: false });
  }

  /** The previous embedder, while the embedder changes. */
  get before(): EmbedderDescription | null {
    return this.manifest.before ?? null;
  }

  /**
   * Records the embedder in use. If it differs, the previous one is recorded too: searches use it until the change is
   * complete.
   */
  use(embedder: EmbedderDescription): void {
    const { embedder: recorded } = this;
    const searched = this.before ?? recorded;
    const before = searched === null || isSameModel(searched, embedder) ? null : searched;
    this.write({ ...this.manifest, embedder, before });
  }

  /** Records that the change of embedder is complete. */
  settle(): void {
    if (this.before !== null) this.write({ ...this.manifest, before: null });
  }

  /** The folders of this installation, links resolved. */
  get folders(): readonly string[] {
    return this.manifest.folders;
  }

  /** Resolves the links of folders: earlier versions recorded folders with them. */
  async resolveFolders(realOf: (folder: string) => Promise<string>): Promise<void> {
    const folders = [...new Set(await Promise.all(this.folders.map(realOf)))];
    this.manifest = { ...this.manifest, folders };
  }

  /** Records a folder, with links resolved, for later starts; returns it. */
  remember(folder: string): string {
    const { folders } = this;
    if (!folders.includes(folder)) this.write({ ...this.manifest, folders: [...folders, folder] });
    return folder;
  }

  /** Forgets a folder: later starts ignore it. */
  forget(folder: string): void {
    const { folders } = this;
    if (folders.includes(folder))
      this.write({ ...this.manifest, folders: folders.filter((remembered) => remembered !== folder) });
  }

  private write(manifest: Manifest): void {
    this.manifest = manifest;
    writeWhole(join(this.path, 'acervo.json'), manifest);
  }

  private static create(path: string, manifestFile: string, secretsFile: string, seed: Seed | undefined): void {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const strangers = readdirSync(path).filter(
      (name) => !['secrets.json', 'logs', 'acervo.json.part', 'secrets.json.part'].includes(name),
    );
    if (strangers.length > 0)
      throw new DataDirectoryUnusable(
        `${path} is not empty and was not made by Acervo; choose an empty directory with --data.`,
      );
    mkdirSync(join(path, 'logs'), { recursive: true, mode: 0o700 });
    writeWhole(secretsFile, { keyPepper: seed?.keyPepper ?? randomBytes(32).toString('hex') });
    const manifest: Manifest = {
      format: LAYOUT,
      createdAt: new Date().toISOString(),
      embedder: seed?.embedder ?? null,
      folders: seed?.folders ?? [],
      ...(seed === undefined ? {} : { importing: true }),
    };
    writeWhole(manifestFile, manifest);
  }
}
