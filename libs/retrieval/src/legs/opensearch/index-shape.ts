import type { TenantScope } from '@acervo/platform-database';
import type { ChunkPlace } from './copies/chunk-copies';

/** A document of the index: one chunk, or its tombstone. */
export interface ChunkDocument {
  readonly group_id: string;
  readonly document_id: string;
  readonly generation: number;
  readonly ordinal: number;
  /** Marks a tombstone: the engine forgets deletions after a restart, and a late write would restore the chunk. */
  readonly gone: boolean;
  readonly entity_code?: string;
  readonly location_ancestors?: readonly string[];
  readonly type_codes?: readonly string[];
  readonly attribute_codes?: readonly string[];
  readonly characteristic_codes?: readonly string[];
  /** Tokens of the shared analysis, separated by spaces. */
  readonly terms?: string;
}

export const chunkId = ({ documentId, generation, ordinal }: ChunkPlace): string =>
  `${documentId}_${generation}_${ordinal}`;

/** The place in an id. @throws TypeError for an id of another form */
export const placeOf = (id: string): ChunkPlace => {
  const [documentId = '', generation, ordinal, ...rest] = id.split('_');
  const place = { documentId, generation: Number(generation), ordinal: Number(ordinal) };
  if (rest.length > 0 || !Number.isSafeInteger(place.generation) || !Number.isSafeInteger(place.ordinal))
    throw new TypeError('An id of the index names document, generation and ordinal.');
  return place;
};

/** Searches go to the alias of a group, writes to its physical indexes by number. */
export const aliasOf = (prefix: string, { groupId }: TenantScope): string => `${prefix}-${groupId}`;
export const indexOf = (prefix: string, scope: TenantScope, number: number): string =>
  `${aliasOf(prefix, scope)}-${number}`;

/**
 * Settings and mapping of an index. The terms are already analysed, so the engine only splits at spaces. BM25 has the
 * constants of the embedded index. Only searched fields are stored: the database contains the text.
 */
export const indexShape = (replicas: number): { settings: object; mappings: object } => ({
  settings: {
    index: { number_of_shards: 1, number_of_replicas: replicas, refresh_interval: '1s' },
    analysis: { analyzer: { tokens: { type: 'custom', tokenizer: 'whitespace' } } },
    similarity: { bm25: { type: 'BM25', k1: 1.2, b: 0.75 } },
  },
  mappings: {
    dynamic: 'strict',
    _source: { excludes: ['terms'] },
    properties: {
      group_id: { type: 'keyword' },
      document_id: { type: 'keyword' },
      generation: { type: 'integer' },
      ordinal: { type: 'integer' },
      gone: { type: 'boolean' },
      entity_code: { type: 'keyword' },
      location_ancestors: { type: 'keyword' },
      type_codes: { type: 'keyword' },
      attribute_codes: { type: 'keyword' },
      characteristic_codes: { type: 'keyword' },
      terms: { type: 'text', analyzer: 'tokens', similarity: 'bm25', index_options: 'freqs' },
    },
  },
});
