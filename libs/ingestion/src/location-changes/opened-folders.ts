import { realpath } from 'node:fs/promises';
import { delimiter, isAbsolute, normalize, relative, sep } from 'node:path';
import type { FileAccess } from '../file-access/file-access';
import { FolderNotOpen } from '../locations/location.errors';
import type { RootFolder } from '../locations/root-folder';

interface Opened {
  readonly groupCode: string;
  readonly path: string;
}

const isWithin = (outer: string, path: string): boolean =>
  path === outer || path.startsWith(outer.endsWith(sep) ? outer : `${outer}${sep}`);

const invalid = (): Error =>
  new Error(
    `ACERVO_FOLDER_ROOTS must name groups and absolute paths, such as G1=/srv/documents${delimiter}G2=/srv/others, or as JSON where a path holds "${delimiter}": {"G1": ["/srv/documents"], "G2": ["/srv/a${delimiter}b"]}.`,
  );

const openedTo = (groupCode: string | undefined, path: unknown): Opened => {
  if (groupCode === undefined || groupCode === '' || typeof path !== 'string' || !isAbsolute(path)) throw invalid();
  return { groupCode, path: normalize(path) };
};

const readEntry = (entry: string): Opened => {
  const [, groupCode, path] = /^([^=\s]+)=(.+)$/.exec(entry.trim()) ?? [];
  return openedTo(groupCode, path);
};

const readList = (setting: string): Opened[] =>
  setting
    .split(delimiter)
    .filter((entry) => entry.trim() !== '')
    .map(readEntry);

const readJson = (setting: string): Opened[] => {
  let requested: Readonly<Record<string, unknown>>;
  try {
    requested = JSON.parse(setting) as typeof requested;
  } catch {
    throw invalid();
  }
  return Object.entries(requested).flatMap(([groupCode, paths]) =>
    (Array.isArray(paths) ? (paths as unknown[]) : [paths]).map((path) => openedTo(groupCode, path)),
  );
};

/**
 * Folders of this machine that the operator opened to groups. A request over the network may only name folders below
 * those of its own group. Without any, no request can make the machine read a folder.
 */
export class OpenedFolders {
  private constructor(
    private readonly opened: readonly Opened[],
    private readonly productData: string | null,
    private readonly files: Pick<FileAccess, 'resolveRoot'>,
  ) {}

  /**
   * @param setting `GROUP=PATH`, several separated as in PATH: by colons, on Windows by semicolons; or a JSON object of
   *   group codes with a path or a list of paths each, for paths that contain the separator
   * @param productData the data directory of the product, which is never ingested
   * @throws Error for anything else
   */
  static from(setting: string, productData: string | null, files: Pick<FileAccess, 'resolveRoot'>): OpenedFolders {
    const opened = setting.trim().startsWith('{') ? readJson(setting) : readList(setting);
    return new OpenedFolders(opened, productData, files);
  }

  /** Resolves a folder that a request of a group names, links included. @throws FolderNotOpen */
  async resolve(groupCode: string, requested: string): Promise<RootFolder> {
    const path = normalize(requested);
    const outer = this.opened.filter((each) => each.groupCode === groupCode && isWithin(each.path, path));
    if (!isAbsolute(requested) || outer.length === 0) throw new FolderNotOpen();
    const folder = await this.files.resolveRoot(path).catch(() => undefined);
    if (folder === undefined || (await this.containsProductData(folder.path))) throw new FolderNotOpen();
    for (const each of outer) {
      const real = await this.files.resolveRoot(each.path).catch(() => undefined);
      if (real !== undefined && isWithin(real.path, folder.path)) return folder;
    }
    throw new FolderNotOpen();
  }

  /** Whether a scan of the real folder would read the product's data; entries that scans ignore do not count. */
  async containsProductData(folder: string): Promise<boolean> {
    if (this.productData === null) return false;
    const real = await realpath(this.productData).catch(() => this.productData ?? '');
    if (isWithin(real, folder)) return true;
    const steps = relative(folder, real).split(sep);
    return isWithin(folder, real) && !steps.some((name) => name.startsWith('.'));
  }
}
