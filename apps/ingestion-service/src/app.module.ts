import { ingestionService } from '@acervo/ingestion';

/** What this program runs; the one-machine program runs the same. */
export const app = ingestionService;
