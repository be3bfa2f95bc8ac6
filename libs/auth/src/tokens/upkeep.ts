import type { Counters } from '@acervo/platform-counters';
import type { Logger } from '@acervo/platform-observability';
import type { SigningKeys } from './signing-keys';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What has to be done now and then: another signing key when the newest has served its time, old counts dropped. */
export class Upkeep {
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly keys: SigningKeys,
    private readonly counters: Counters,
    private readonly keyDays: number,
    logger: Logger,
  ) {
    const round = (): void =>
      void this.round().catch((error: unknown) => logger.warn({ error }, 'upkeep of sign-in was put off'));
    this.timer = setInterval(round, HOUR_MS);
    this.timer.unref();
  }

  /** One round; safe for several replicas at once, who at worst make a key too many. */
  async round(now = Date.now()): Promise<void> {
    await this.counters.prune();
    const since = await this.keys.newestSince();
    if (now - since.getTime() > this.keyDays * DAY_MS) await this.keys.rotate();
  }

  stop(): void {
    clearInterval(this.timer);
  }
}
