import { createLogger, type Logger } from '@acervo/platform-observability';

/** A logger that nobody reads, for what is tested without its logs. */
export const silent: Logger = createLogger({
  service: 'test',
  level: 'silent',
  destination: { write: () => undefined },
});
