import { CrossesCalls, Unavailable } from '@acervo/contracts';

/** A least similarity was asked for and there is nothing to measure it with. Never an empty list instead. */
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
