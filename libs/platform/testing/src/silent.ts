import { createLogger, type Logger } from '@acervo/platform-observability';

/** A logger without output, for tests that do not check logs. */
export const silent: Logger = createLogger({
  service: 'test',
  level: 'silent',
  destination: { write: () => undefined },
});
