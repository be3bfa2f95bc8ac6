import type { RankedChunk } from '../legs/ranking';

/** One ranking with its weight and its k. The smaller k is, the more the first ranks dominate. */
export interface WeightedLeg<Hit = RankedChunk> {
  readonly ranking: readonly Hit[];
  readonly weight: number;
  readonly k: number;
}

export interface FusedChunk extends RankedChunk {
  readonly score: number;
}

export const chunkKey = ({ documentId, ordinal }: RankedChunk): string => `${documentId}:${ordinal}`;

const before = (a: FusedChunk, b: FusedChunk): number =>
  b.score - a.score || (a.documentId < b.documentId ? -1 : a.documentId > b.documentId ? 1 : a.ordinal - b.ordinal);

/**
 * Reciprocal rank fusion (Cormack, Clarke, Büttcher 2009): score = sum over legs of weight / (k + rank), rank from 1.
 * Ties: smaller document id first, then smaller ordinal.
 * Null is a rank at which a ranking has nothing.
 */
export const fuse = (legs: readonly WeightedLeg<RankedChunk | null>[]): FusedChunk[] => {
  const fused = new Map<string, FusedChunk>();
  for (const { ranking, weight, k } of legs)
    ranking.forEach((hit, index) => {
      if (hit === null) return;
      const { documentId, ordinal } = hit;
      const key = chunkKey({ documentId, ordinal });
      const score = (fused.get(key)?.score ?? 0) + weight / (k + index + 1);
      fused.set(key, { documentId, ordinal, score });
    });
  return [...fused.values()].toSorted(before);
};

/** A document as the fusion ranks it, with its best chunks. */
export interface FusedDocument {
  readonly documentId: string;
  readonly score: number;
  readonly chunks: readonly FusedChunk[];
}

/** Documents in the order of their best chunk, each with at most `most` chunks, best first. */
export const groupByDocument = (chunks: readonly FusedChunk[], most = 5): FusedDocument[] => {
  const documents = new Map<string, FusedChunk[]>();
  for (const chunk of chunks) {
    const ranked = documents.get(chunk.documentId);
    if (ranked === undefined) documents.set(chunk.documentId, [chunk]);
    else if (ranked.length < most) ranked.push(chunk);
  }
  return [...documents].map(([documentId, ranked]) => ({ documentId, score: ranked[0]?.score ?? 0, chunks: ranked }));
};
