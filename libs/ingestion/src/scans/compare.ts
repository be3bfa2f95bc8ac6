import type { DocumentStatus } from '@acervo/public-mapping';

/** The place of a document. */
export interface Place {
  readonly locationCode: string;
  readonly ancestors: readonly string[];
  readonly name: string;
  /** Relative to the root. */
  readonly relativePath: string;
  /** Logical path, including the name of the root. */
  readonly path: string;
}

/** A file that a scan found. */
export interface FoundDocument extends Place {
  readonly size: number;
  readonly mtime: string;
  readonly changeTime: string;
  /** Why it is not read; null where it is. */
  readonly whyNot: string | null;
  readonly settingsHash: string;
  /** Of a page of the web; a file has neither. */
  readonly origin?: 'WEB' | 'PUBLICO';
  readonly url?: string;
}

/** A registered document. */
export interface RecordedDocument extends Place {
  readonly documentId: string;
  readonly generation: number;
  readonly size: number;
  readonly mtime: string;
  readonly contentHash: string | null;
  readonly settingsHash: string;
  readonly status: DocumentStatus;
  readonly retryOnScan: boolean;
  /** Its failure is old enough for a retry of the unchanged file. */
  readonly rested: boolean;
  /** The change time of the file whose bytes were last read or compared; null where it was not recorded. */
  readonly changeTime: string | null;
  /** A user deleted it: the row is its tombstone, and only other bytes at its place revive it. */
  readonly deleted: boolean;
  /** Address of its web page; null for a file. */
  readonly url: string | null;
}

export interface Pair {
  readonly recorded: RecordedDocument;
  readonly found: FoundDocument;
}

/** Documents and files by their place: a folder, which keeps its code when it moves, and a name in it. */
export interface Comparison {
  readonly pairs: readonly Pair[];
  readonly unknown: readonly FoundDocument[];
  readonly absent: readonly RecordedDocument[];
}

const keyOf = ({ locationCode, name }: Place): string => `${locationCode}/${name}`;

export const compare = (recorded: readonly RecordedDocument[], found: readonly FoundDocument[]): Comparison => {
  const absent = new Map(recorded.map((document) => [keyOf(document), document]));
  const pairs: Pair[] = [];
  const unknown: FoundDocument[] = [];
  for (const file of found) {
    const document = absent.get(keyOf(file));
    if (document === undefined) unknown.push(file);
    else pairs.push({ recorded: document, found: file });
    absent.delete(keyOf(file));
  }
  return { pairs, unknown, absent: [...absent.values()] };
};

const ending = (name: string): string => /\.[^.]*$/.exec(name)?.[0].toLowerCase() ?? '';
const likeness = (size: number, name: string): string => `${size}${ending(name)}`;

/**
 * Unknown files that may be absent documents in a new place: they are not empty, and match the size and kind of a
 * document with known bytes. Only these are hashed.
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

/** One absent document and one unknown file with equal bytes are a move. Two of either are ambiguous, and no move. */
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
    const [recorded, ...others] = gone.get(key) ?? [];
    if (found !== undefined && recorded !== undefined && more.length === 0 && others.length === 0)
      moves.push({ recorded, found });
  }
  const movedFiles = new Set(moves.map(({ found }) => found));
  const movedDocuments = new Set(moves.map(({ recorded }) => recorded));
  return {
    pairs: [...pairs, ...moves],
    unknown: unknown.filter((file) => !movedFiles.has(file)),
    absent: absent.filter((document) => !movedDocuments.has(document)),
  };
};

/**
 * Equal size, other time: only the bytes show whether the content changed. Programs that copy, unpack and restore set
 * the modification time; none can set the change time.
 */
export const isDoubtful = ({ recorded, found }: Pair): boolean =>
  found.whyNot === null &&
  recorded.contentHash !== null &&
  recorded.size === found.size &&
  (recorded.mtime !== found.mtime || recorded.changeTime !== found.changeTime);

/** The decision of a scan about a present document. */
export interface Decision extends Pair {
  /** The bytes differ from the recorded ones. */
  readonly contentChanged: boolean;
  /** Content or settings changed: earlier results do not count. */
  readonly newGeneration: boolean;
  /** The steps begin again. */
  readonly restart: boolean;
  /** They begin again only to retry a failure: no user changed the file. */
  readonly retried: boolean;
  readonly moved: boolean;
  /** Size or times differ from the recorded ones, which are replaced. */
  readonly touched: boolean;
  /** A deleted document has other bytes now, so it is a document again. */
  readonly revived: boolean;
}

const contentChanged = ({ recorded, found }: Pair, hash: string | undefined): boolean => {
  if (found.whyNot !== null) return false;
  if (recorded.size !== found.size) return true;
  // A document that was deleted before its first extraction has no hash to compare, so it stays deleted.
  if (recorded.deleted && recorded.contentHash === null) return false;
  if (recorded.mtime !== found.mtime) return recorded.contentHash === null || hash !== recorded.contentHash;
  // Permissions change this time, too: a file that cannot be read now keeps what was read of it.
  return isDoubtful({ recorded, found }) && hash !== undefined && hash !== recorded.contentHash;
};

/** A change time alone is recorded with the bytes that were compared, so that no change between them is missed. */
const isTouched = (pair: Pair, hash: string | undefined): boolean => {
  const { recorded, found } = pair;
  return recorded.size !== found.size || recorded.mtime !== found.mtime || (isDoubtful(pair) && hash !== undefined);
};

/** A transient failure is not retried at every scan: scans may be seconds apart. */
const isWorthAnotherTry = ({ recorded, found }: Pair): boolean =>
  recorded.retryOnScan && (recorded.rested || recorded.changeTime !== found.changeTime);

/** `hash` is that of the present bytes, needed for doubtful pairs only. */
export const decide = (pair: Pair, hash?: string): Decision => {
  const { recorded, found } = pair;
  const changed = contentChanged(pair, hash);
  const stays = recorded.deleted && !changed;
  const newGeneration = !stays && (changed || recorded.settingsHash !== found.settingsHash);
  const reappeared = recorded.status === 'NO_ENCONTRADO';
  const retried = !stays && !newGeneration && !reappeared && isWorthAnotherTry(pair);
  return {
    ...pair,
    contentChanged: changed,
    newGeneration,
    revived: recorded.deleted && changed,
    restart: newGeneration || retried || (!stays && reappeared),
    retried,
    moved: recorded.path !== found.path || recorded.ancestors.join() !== found.ancestors.join(),
    touched: isTouched(pair, hash),
  };
};

/** Whether a decision changes anything at all. */
export const matters = ({ restart, moved, touched }: Decision): boolean => restart || moved || touched;
