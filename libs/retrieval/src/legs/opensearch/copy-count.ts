import type { CopiesAsked, FoundCopies } from './copies/chunk-copies';
import type { Clause } from './lexical-query';

/** Generations in one answer. A page of documents seldom has more, so one query is enough. */
const GENERATIONS_AT_ONCE = 500;

/** Counts by document and generation as the engine answers them, in the order of both. */
export interface Counted {
  readonly after_key?: object;
  readonly buckets: readonly {
    readonly key: { readonly document_id: string; readonly generation: number };
    readonly doc_count: number;
    readonly last: { readonly value: number };
  }[];
}

/** Chunks of the given documents: the engine walks the terms of a range, so documents outside of it cost nothing. */
export const askedClauses = (asked: CopiesAsked): Clause[] => {
  if ('only' in asked) return [{ terms: { document_id: asked.only } }];
  const { after, through } = asked;
  const bounds = { ...(after === null ? {} : { gt: after }), ...(through === null ? {} : { lte: through }) };
  return Object.keys(bounds).length === 0 ? [] : [{ range: { document_id: bounds } }];
};

/** Counts by document and generation, after a position. */
export const copiesByGeneration = (after: object | undefined): object => ({
  copies: {
    composite: {
      size: GENERATIONS_AT_ONCE,
      sources: [
        { document_id: { terms: { field: 'document_id' } } },
        { generation: { terms: { field: 'generation' } } },
      ],
      ...(after === undefined ? {} : { after }),
    },
    aggs: { last: { max: { field: 'ordinal' } } },
  },
});

export const foundIn = ({ buckets }: Counted): FoundCopies[] =>
  buckets.map(({ key, doc_count: count, last }) => ({
    ...{ documentId: key.document_id, generation: key.generation },
    ...{ count, last: last.value },
  }));

/** Whether nothing is left to count, or more documents are counted than were requested. */
export const isEnough = ({ buckets }: Counted, found: readonly FoundCopies[], asked: CopiesAsked): boolean =>
  buckets.length < GENERATIONS_AT_ONCE ||
  ('most' in asked && new Set(found.map(({ documentId }) => documentId)).size > asked.most);
