import type { Precision } from '../model-files';

/** What the server reports, each once but for threads that end. */
export type ServerReport =
  | { readonly ready: true; readonly precision: Precision; readonly cosine: number }
  /** It cannot serve, and ends. */
  | { readonly failed: string }
  | { readonly threadEnded: string };
