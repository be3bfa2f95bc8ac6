import type { TenantScope, Transaction } from '@acervo/platform-database';

/** Where a chunk stands: together with the group, its identity in the copies, whatever its space. */
export interface ChunkPlace {
  readonly documentId: string;
  readonly generation: number;
  readonly ordinal: number;
}

/** A chunk that is to go, and the revision of its document when that was found out. */
export interface VanishingChunk extends ChunkPlace {
  readonly revision: number;
}

/** Words of one chunk of a generation. */
export interface ChunkWords {
  readonly ordinal: number;
  readonly terms: string;
}

/** The generation of a document that chunks belong to. */
export interface CopiedGeneration {
  readonly documentId: string;
  readonly generation: number;
}

/** Which documents are looked at: some, or the next ones up to an id, and not many more than `most` of them. */
export type CopiesAsked =
  | { readonly only: readonly string[] }
  | { readonly after: string | null; readonly through: string | null; readonly most: number };

/** The copies of one generation that searches can find. */
export interface FoundCopies extends CopiedGeneration {
  readonly count: number;
  /** The highest ordinal among them. */
  readonly last: number;
}

/** Copies of chunks in an engine beside the database. Where the database is the index itself, there are none. */
export abstract class ChunkCopies {
  /** Whether there are any, so that somebody has to look after them. */
  abstract readonly kept: boolean;

  /** Makes what the copies of a group need, before its first chunk. */
  abstract prepare(scope: TenantScope): Promise<void>;

  /**
   * Writes copies as the document is known now; they can be found a second later at most. Answers the revision that
   * they were written under, null where none are kept. @throws EngineDown
   */
  abstract put(scope: TenantScope, of: CopiedGeneration, chunks: readonly ChunkWords[]): Promise<number | null>;

  /** Replaces copies by a mark that they are gone, which nothing older undoes. @throws EngineDown */
  abstract bury(scope: TenantScope, chunks: readonly VanishingChunk[]): Promise<void>;

  /** Makes what copies need that are to be made anew, before anything says that they are. @throws EngineDown */
  abstract makeRoom(scope: TenantScope): Promise<void>;

  /** Has copies made anew beside those that are searched, and searched instead once they are whole. */
  abstract rebuild(tx: Transaction): Promise<void>;

  /** The copies that searches can find, by generation; null when that cannot be told now, or none are kept. */
  abstract found(scope: TenantScope, asked: CopiesAsked): Promise<readonly FoundCopies[] | null>;
}

export class NoCopies extends ChunkCopies {
  readonly kept = false;

  prepare(): Promise<void> {
    return Promise.resolve();
  }

  put(): Promise<null> {
    return Promise.resolve(null);
  }

  bury(): Promise<void> {
    return Promise.resolve();
  }

  makeRoom(): Promise<void> {
    return Promise.resolve();
  }

  rebuild(): Promise<void> {
    return Promise.resolve();
  }

  found(): Promise<null> {
    return Promise.resolve(null);
  }
}
