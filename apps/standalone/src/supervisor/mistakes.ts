import { DataDirectoryInUse } from '@acervo/platform-database';
import { PortInUse } from '@acervo/platform-http/ports';
import { StartRefused } from '../kernel/start-refused';

/** An error that the user can correct: its message suffices. */
const isPlainMistake = (error: unknown): error is Error =>
  error instanceof StartRefused || error instanceof DataDirectoryInUse || error instanceof PortInUse;

/** The message about a failed start, or a failed command. */
export const explain = (error: unknown, what = 'Acervo could not start'): string =>
  error instanceof PortInUse
    ? `${error.message} With another port: npm start -- --port N`
    : isPlainMistake(error)
      ? error.message
      : `${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
