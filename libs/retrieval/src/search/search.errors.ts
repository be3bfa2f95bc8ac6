import { CrossesCalls, Unavailable } from '@acervo/contracts';

/** A request with a least similarity cannot be answered without the vector leg. An empty list would be wrong. */
@CrossesCalls
export class SimilarityUnavailable extends Unavailable {
  constructor() {
    super('Similarity cannot be measured now; ask again without min_similarity, or later.');
  }
}

/** Neither leg could be read. */
@CrossesCalls
export class SearchUnavailable extends Unavailable {
  constructor() {
    super('Neither index answers; ask again later.');
  }
}
