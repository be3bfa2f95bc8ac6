import type { SearchRequest } from '@acervo/contracts';
import { calibratedSimilarity } from '@acervo/models';
import type { RankedVector } from '../legs/ranking';
import { chunkKey } from './fusion';

/** The best calibrated similarity of each chunk and document that the vector leg ranked. */
export class Similarities {
  private readonly best = new Map<string, number>();

  constructor(ranking: readonly RankedVector[], floor: number) {
    for (const hit of ranking) {
      const similarity = calibratedSimilarity(hit.cosine, floor);
      this.best.set(chunkKey(hit), similarity);
      this.best.set(hit.documentId, Math.max(similarity, this.best.get(hit.documentId) ?? 0));
    }
  }

  /** Null for a chunk or document that the vector leg did not rank. */
  of(key: string): number | null {
    return this.best.get(key) ?? null;
  }
}

/** Whether a document reaches the least similarity of a request. */
export const isSimilar = (
  similarities: Similarities,
  documentId: string,
  { minSimilarity }: Pick<SearchRequest, 'minSimilarity'>,
): boolean => minSimilarity === 0 || (similarities.of(documentId) ?? -1) >= minSimilarity;
