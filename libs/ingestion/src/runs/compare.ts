import type { DocumentStatus } from '@acervo/public-mapping';

/** Where a document lies. */
export interface Place {
  readonly locationCode: string;
  readonly ancestors: readonly string[];
  readonly name: string;
  /** Below the root. */
  readonly relativePath: string;
  /** Logical path, the name of the root included. */
  readonly path: string;
}

/** A file as a scan found it. */
export interface FoundDocument extends Place {
  readonly size: number;
  readonly mtime: string;
  readonly changeTime: string;
  /** Why it is not read; null where it is. */
  readonly whyNot: string | null;
  readonly settingsHash: string;
}

/** A document as it is registered. */
export interface KnownDocument extends Place {
  readonly documentId: string;
  readonly generation: number;
  readonly size: number;
  readonly mtime: string;
  readonly contentHash: string | null;
  readonly settingsHash: string;
  readonly status: DocumentStatus;
  readonly retryOnScan: boolean;
  /** It failed so long ago that it is tried again as it is. */
  readonly rested: boolean;
  /** Of the file when the steps last began; null where that was not written down. */
  readonly changeTime: string | null;
  /** Somebody deleted it: the row is its tombstone, and only other bytes at its place bring it back. */
  readonly deleted: boolean;
}

export interface Pair {
  readonly known: KnownDocument;
  readonly found: FoundDocument;
}

/** Documents and files by their place: a folder, which keeps its code when it moves, and a name in it. */
export interface Comparison {
  readonly pairs: readonly Pair[];
  readonly unknown: readonly FoundDocument[];
  readonly absent: readonly KnownDocument[];
}

const keyOf = ({ locationCode, name }: Place): string => `${locationCode}/${name}`;

export const compare = (known: readonly KnownDocument[], found: readonly FoundDocument[]): Comparison => {
  const absent = new Map(known.map((document) => [keyOf(document), document]));
  const pairs: Pair[] = [];
  const unknown: FoundDocument[] = [];
  for (const file of found) {
    const document = absent.get(keyOf(file));
    if (document === undefined) unknown.push(file);
    else pairs.push({ known: document, found: file });
    absent.delete(keyOf(file));
  }
  return { pairs, unknown, absent: [...absent.values()] };
};

const ending = (name: string): string => /\.[^.]*$/.exec(name)?.[0].toLowerCase() ?? '';
const likeness = (size: number, name: string): string => `${size}${ending(name)}`;

/**
 * Unknown files that may be absent documents in a new place: they have content, and their size and kind are those of
 * one that was read. Only these are worth reading to find out.
 */
export const moveCandidates = ({ unknown, absent }: Comparison): FoundDocument[] => {
  const gone = new Set(
    absent.filter(({ contentHash }) => contentHash !== null).map(({ size, name }) => likeness(size, name)),
  );
  return unknown.filter(({ size, name }) => size > 0 && gone.has(likeness(size, name)));
};

const grouped = <T>(items: readonly T[], key: (item: T) => string | undefined): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const name = key(item);
    if (name !== undefined) groups.set(name, [...(groups.get(name) ?? []), item]);
  }
  return groups;
};

/** One absent document and one unknown file with equal bytes are a move; two of either are told apart by nobody. */
export const withMoves = (comparison: Comparison, hashes: ReadonlyMap<FoundDocument, string>): Comparison => {
  const { pairs, unknown, absent } = comparison;
  const same = (hash: string, name: string): string => `${hash}${ending(name)}`;
  const gone = grouped(absent, ({ contentHash, name }) => (contentHash === null ? undefined : same(contentHash, name)));
  const came = grouped(unknown, (file) => {
    const hash = hashes.get(file);
    return hash === undefined ? undefined : same(hash, file.name);
  });
  const moves: Pair[] = [];
  for (const [key, [found, ...more]] of came) {
    const [known, ...others] = gone.get(key) ?? [];
    if (found !== undefined && known !== undefined && more.length === 0 && others.length === 0)
      moves.push({ known, found });
  }
  const movedFiles = new Set(moves.map(({ found }) => found));
  const movedDocuments = new Set(moves.map(({ known }) => known));
  return {
    pairs: [...pairs, ...moves],
    unknown: unknown.filter((file) => !movedFiles.has(file)),
    absent: absent.filter((document) => !movedDocuments.has(document)),
  };
};

/** Same size, another time: only the bytes can tell whether the content changed. */
export const isDoubtful = ({ known, found }: Pair): boolean =>
  found.whyNot === null && known.contentHash !== null && known.size === found.size && known.mtime !== found.mtime;

/** What a scan does about a document that is there. */
export interface Decision extends Pair {
  /** The bytes differ from those that were read. */
  readonly contentChanged: boolean;
  /** Content or settings changed: earlier work does not count. */
  readonly newGeneration: boolean;
  /** The steps begin again. */
  readonly restart: boolean;
  /** They begin again only because what failed may do better now: nobody put anything there. */
  readonly retried: boolean;
  readonly moved: boolean;
  readonly touched: boolean;
  /** A deleted document has other bytes now, so it is a document again. */
  readonly revived: boolean;
}

const contentChanged = ({ known, found }: Pair, hash: string | undefined): boolean => {
  if (found.whyNot !== null) return false;
  if (known.size !== found.size) return true;
  // What was deleted before it was ever read cannot be told from what is there now, so it stays deleted.
  if (known.deleted && known.contentHash === null) return false;
  return known.mtime !== found.mtime && (known.contentHash === null || hash !== known.contentHash);
};

/** What failed for a reason that may pass is not worked on at every scan, which may be every few seconds. */
const isWorthAnotherTry = ({ known, found }: Pair): boolean =>
  known.retryOnScan && (known.rested || known.changeTime !== found.changeTime);

/** `hash` is that of the bytes now, needed for doubtful pairs only. */
export const decide = (pair: Pair, hash?: string): Decision => {
  const { known, found } = pair;
  const changed = contentChanged(pair, hash);
  const stays = known.deleted && !changed;
  const newGeneration = !stays && (changed || known.settingsHash !== found.settingsHash);
  const reappeared = known.status === 'NO_ENCONTRADO';
  const retried = !stays && !newGeneration && !reappeared && isWorthAnotherTry(pair);
  return {
    ...pair,
    contentChanged: changed,
    newGeneration,
    revived: known.deleted && changed,
    restart: newGeneration || retried || (!stays && reappeared),
    retried,
    moved: known.path !== found.path || known.ancestors.join() !== found.ancestors.join(),
    touched: known.size !== found.size || known.mtime !== found.mtime,
  };
};

/** Whether a decision changes anything at all. */
export const matters = ({ restart, moved, touched }: Decision): boolean => restart || moved || touched;
