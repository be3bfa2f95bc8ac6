import { DataDirectoryInUse } from '@acervo/platform-database';
import { PortInUse } from '@acervo/platform-http';
import { EmbedderUnusable } from '../embedder/endpoint';
import { DataDirectoryUnusable } from '../resources/data-directory';
import { ServerTaken } from '../resources/external-resources';
import { ExportUnusable } from '../transfer/export-file';

/** An error that the user can correct: its message suffices. */
const isPlainMistake = (error: unknown): error is Error =>
  error instanceof DataDirectoryUnusable ||
  error instanceof DataDirectoryInUse ||
  error instanceof PortInUse ||
  error instanceof ServerTaken ||
  error instanceof ExportUnusable ||
  error instanceof EmbedderUnusable;

/** The message about a failed start, or a failed command. */
export const explain = (error: unknown, what = 'Acervo could not start'): string =>
  error instanceof PortInUse
    ? `${error.message} Another one: npm start -- --port N`
    : isPlainMistake(error)
      ? error.message
      : `${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
