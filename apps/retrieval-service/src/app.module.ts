import { retrievalService } from '@acervo/retrieval';

/** What this program runs; the one-machine program runs the same. */
export const app = retrievalService;
