import type { FoundFile, FoundFolder, Walk } from '@acervo/files';
import { compare, type FoundDocument, type RecordedDocument, type Pair } from './compare';

/** Files that are compared at a time, unless one folder alone contains more. */
const SLICE = 2_000;

/** Consecutive folders with their files, cut into slices. Files are in the order of their folders. */
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
  recorded(locationCodes: readonly string[]): Promise<RecordedDocument[]>;
  /** Receives the pairs of one slice, which are not kept afterwards. */
  pairs(pairs: readonly Pair[]): Promise<void>;
}

/** Files and documents without a counterpart on the other side. */
export interface Leftover {
  readonly unknown: FoundDocument[];
  readonly absent: RecordedDocument[];
}

/** Compares a tree slice by slice: equal entries of the whole tree are never in memory together. */
export const compareTree = async (tree: TreeToCompare): Promise<Leftover> => {
  const left: Leftover = { unknown: [], absent: [] };
  for (const { folders, files } of slicesOf(tree.found)) {
    const recorded = await tree.recorded(folders.map((folder) => tree.codeOf(folder)));
    const { pairs, unknown, absent } = compare(
      recorded,
      files.map((file) => tree.asDocument(file)),
    );
    await tree.pairs(pairs);
    for (const file of unknown) left.unknown.push(file);
    for (const document of absent) left.absent.push(document);
  }
  for (let from = 0; from < tree.vanished.length; from += SLICE)
    for (const document of await tree.recorded(tree.vanished.slice(from, from + SLICE))) left.absent.push(document);
  return left;
};
