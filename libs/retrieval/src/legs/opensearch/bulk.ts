import type { TenantScope } from '@acervo/platform-database';
import { refusal } from './engine-errors';
import type { ChunkPlace } from './copies/chunk-copies';
import { type ChunkDocument, chunkId } from './index-shape';

/** One document to be written under a version: the revision of its source. */
export interface Write extends ChunkPlace {
  readonly version: number;
  readonly content: Omit<ChunkDocument, 'group_id' | 'document_id' | 'generation' | 'ordinal'>;
}

const MOST_WRITES = 400;

const linesOf = (scope: TenantScope, index: string, write: Write): object[] => {
  const { documentId, generation, ordinal, version, content } = write;
  const document: ChunkDocument = {
    ...{ group_id: scope.groupId, document_id: documentId, generation, ordinal },
    ...content,
  };
  // The same version may be written again: its content is the same, or the chunk is gone.
  return [{ index: { _index: index, _id: chunkId(write), version, version_type: 'external_gte' } }, document];
};

/** The bodies of as many requests as the writes take, each document for each index. */
export const bulkLines = function* (
  scope: TenantScope,
  indexes: readonly string[],
  writes: readonly Write[],
): Generator<object[]> {
  for (let from = 0; from < writes.length; from += MOST_WRITES) {
    const slice = writes.slice(from, from + MOST_WRITES);
    for (const index of indexes) yield slice.flatMap((write) => linesOf(scope, index, write));
  }
};

/** The engine's answer to one write. */
export interface WriteAnswer {
  readonly status: number;
  readonly error?: { readonly type?: string } | undefined;
}

const CONFLICT = 409;

/**
 * Why a request counts as failed. Null when every document is written, or a later version exists. Failures of the
 * whole group precede failures of one document.
 */
export const writeOutcome = (items: readonly Readonly<Record<string, WriteAnswer | undefined>>[]): Error | null => {
  const failures = items.flatMap((item) => {
    const { status = 500, error } = Object.values(item)[0] ?? {};
    return status < 300 || status === CONFLICT ? [] : [refusal(status, error?.type ?? 'unknown')];
  });
  const rank = (error: Error): number => ['EngineDown', 'IndexLost'].indexOf(error.name) + 1 || 3;
  return failures.toSorted((a, b) => rank(a) - rank(b))[0] ?? null;
};
