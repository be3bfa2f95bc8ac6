import {
  ExcludedEntries,
  type ExcludedEntriesRecord,
  type FoundFile,
  type FoundFolder,
  type Unseen,
  type Walk,
} from '@acervo/files';

/** A part of a walk in plain data. Folders are named by their number, in the order of all parts. */
export interface WalkPart {
  readonly folders: readonly (Omit<FoundFolder, 'parent'> & { readonly parent: number | null })[];
  readonly files: readonly (Omit<FoundFile, 'folder'> & { readonly folder: number })[];
}

/** The last part. */
export interface WalkEnd {
  readonly ignored: Walk['ignored'];
  readonly unseen: readonly (Omit<Unseen, 'folder'> & { readonly folder: number })[];
  readonly leftOut: ExcludedEntriesRecord;
}

/** Entries of a part: a receiver that answers requests reads one part without a pause. */
const SIZE = 500;

const slices = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / SIZE) }, (_, part) => all.slice(part * SIZE, (part + 1) * SIZE));

/** Divides a walk into parts. */
export const partsOf = ({ folders, files, ignored, unseen, leftOut }: Walk): { parts: WalkPart[]; end: WalkEnd } => {
  const numbers = new Map(folders.map((folder, number) => [folder, number]));
  const numberOf = (folder: FoundFolder): number => numbers.get(folder) ?? 0;
  const parentOf = (folder: FoundFolder | null): number | null => (folder === null ? null : numberOf(folder));
  return {
    parts: [
      ...slices(folders).map((slice) => ({
        folders: slice.map((folder) => ({ ...folder, parent: parentOf(folder.parent) })),
        files: [],
      })),
      ...slices(files).map((slice) => ({
        folders: [],
        files: slice.map((file) => ({ ...file, folder: numberOf(file.folder) })),
      })),
    ],
    end: {
      ignored,
      unseen: unseen.map((each) => ({ ...each, folder: numberOf(each.folder) })),
      leftOut: leftOut.record,
    },
  };
};

/** Puts a walk together from its parts. */
export class WalkAssembly {
  private readonly folders: FoundFolder[] = [];
  private readonly files: FoundFile[] = [];

  add({ folders, files }: WalkPart): void {
    for (const folder of folders)
      this.folders.push({ ...folder, parent: folder.parent === null ? null : this.folderOf(folder.parent) });
    for (const file of files) this.files.push({ ...file, folder: this.folderOf(file.folder) });
  }

  end({ ignored, unseen, leftOut }: WalkEnd): Walk {
    return {
      ...{ folders: this.folders, files: this.files, ignored },
      unseen: unseen.map((each) => ({ ...each, folder: this.folderOf(each.folder) })),
      leftOut: ExcludedEntries.from(leftOut),
    };
  }

  private folderOf(number: number): FoundFolder {
    const folder = this.folders[number];
    if (folder === undefined) throw new Error('A part of a walk names a folder that no part contains.');
    return folder;
  }
}
