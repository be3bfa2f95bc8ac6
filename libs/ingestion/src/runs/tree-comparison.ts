import type { FoundFile, FoundFolder, Walk } from '../files/walk';
import { compare, type FoundDocument, type KnownDocument, type Pair } from './compare';

/** Files that are compared at a time, unless one folder alone holds more. */
const SLICE = 2_000;

/** Folders that follow each other with their files, cut into slices. Files stand in the order of their folders. */
export function* slicesOf({ folders, files }: Walk): Iterable<{ folders: FoundFolder[]; files: FoundFile[] }> {
  let slice: { folders: FoundFolder[]; files: FoundFile[] } = { folders: [], files: [] };
  let at = 0;
  for (const folder of folders) {
    slice.folders.push(folder);
    for (let file = files[at]; file?.folder === folder; file = files[at]) {
      slice.files.push(file);
      at += 1;
    }
    if (slice.files.length + slice.folders.length < SLICE) continue;
    yield slice;
    slice = { folders: [], files: [] };
  }
  if (slice.folders.length > 0) yield slice;
}

export interface TreeToCompare {
  readonly found: Walk;
  /** Codes of registered folders that were not found. */
  readonly vanished: readonly string[];
  codeOf(folder: FoundFolder): string;
  asDocument(file: FoundFile): FoundDocument;
  known(locationCodes: readonly string[]): Promise<KnownDocument[]>;
  /** Takes the pairs of one slice; they are forgotten afterwards. */
  pairs(pairs: readonly Pair[]): Promise<void>;
}

/** What has no counterpart on the other side. */
export interface Leftover {
  readonly unknown: FoundDocument[];
  readonly absent: KnownDocument[];
}

/** Compares a tree folder by folder: what is alike on both sides is never held for the whole tree at once. */
export const compareTree = async (tree: TreeToCompare): Promise<Leftover> => {
  const left: Leftover = { unknown: [], absent: [] };
  for (const { folders, files } of slicesOf(tree.found)) {
    const known = await tree.known(folders.map((folder) => tree.codeOf(folder)));
    const { pairs, unknown, absent } = compare(
      known,
      files.map((file) => tree.asDocument(file)),
    );
    await tree.pairs(pairs);
    for (const file of unknown) left.unknown.push(file);
    for (const document of absent) left.absent.push(document);
  }
  for (let from = 0; from < tree.vanished.length; from += SLICE)
    for (const document of await tree.known(tree.vanished.slice(from, from + SLICE))) left.absent.push(document);
  return left;
};
