import { operationsService } from '@acervo/operations';

/** What this program runs; the one-machine program runs the same. */
export const app = operationsService;
