import { authService } from '@acervo/auth';

/** What this program runs; the one-machine program runs the same. */
export const app = authService;
