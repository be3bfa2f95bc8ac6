import type { TenantScope, Transaction } from '@acervo/platform-database';

/** The place of a chunk. With the group it identifies the copy, in any embedding index. */
export interface ChunkPlace {
  readonly documentId: string;
  readonly generation: number;
  readonly ordinal: number;
}

/** A chunk to be removed, with the revision of its document at the time of that decision. */
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

/** Which documents are read: some of them, or the next ones up to an id, not many more than `most`. */
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
  /** Whether copies exist and need to be maintained. */
  abstract readonly isEnabled: boolean;

  /** Creates what the copies of a group need, before its first chunk. */
  abstract prepare(scope: TenantScope): Promise<void>;

  /**
   * Writes copies from the current description of the document; searches find them after a second at most. Returns the
   * revision of that description, null without copies. @throws EngineDown
   */
  abstract put(scope: TenantScope, of: CopiedGeneration, chunks: readonly ChunkWords[]): Promise<number | null>;

  /** Replaces copies by tombstones, which no older write undoes. @throws EngineDown */
  abstract tombstone(scope: TenantScope, chunks: readonly VanishingChunk[]): Promise<void>;

  /** Creates what a rebuild needs, before any row announces the rebuild. @throws EngineDown */
  abstract makeRoom(scope: TenantScope): Promise<void>;

  /** Plans a rebuild of the copies beside the searched ones; the new copies become live once they are complete. */
  abstract rebuild(tx: Transaction): Promise<void>;

  /** The copies that searches can find, by generation; null without copies, or while they cannot be read. */
  abstract found(scope: TenantScope, asked: CopiesAsked): Promise<readonly FoundCopies[] | null>;
}

export class NoCopies extends ChunkCopies {
  readonly isEnabled = false;

  prepare(): Promise<void> {
    return Promise.resolve();
  }

  put(): Promise<null> {
    return Promise.resolve(null);
  }

  tombstone(): Promise<void> {
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
