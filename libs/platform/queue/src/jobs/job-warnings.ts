import type { Logger } from '@acervo/platform-observability';

const QUIET_MS = 10_000;

/** Logs at most one warning about the job backend in ten seconds: workers retry without a pause while it is absent. */
export class JobWarnings {
  private warnedAt = 0;

  constructor(private readonly logger: Logger) {}

  /** Whether the backend failed recently. */
  get areRecent(): boolean {
    return Date.now() - this.warnedAt < QUIET_MS;
  }

  warn(error: unknown): void {
    if (this.areRecent) return;
    this.warnedAt = Date.now();
    this.logger.warn({ error }, 'work signals are waiting for their backend');
  }
}
