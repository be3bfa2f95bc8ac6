import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Counters, Rates } from '@acervo/platform-counters';
import { Logger } from '@acervo/platform-observability';
import { AuthConfig } from '../auth-config';
import { SigningKeys } from './signing-keys';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Recurring upkeep: creates the next signing key when the newest has served its time, and deletes old counts. */
@Injectable()
export class Upkeep implements OnModuleInit, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly keys: SigningKeys,
    private readonly counters: Counters,
    private readonly rates: Rates,
    private readonly config: AuthConfig,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    const round = (): void =>
      void this.round().catch((error: unknown) =>
        this.logger.warn({ error }, 'upkeep of sign-in failed; it runs again in an hour'),
      );
    this.timer = setInterval(round, HOUR_MS);
    this.timer.unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** One run; safe for several replicas at once, which at worst create a key too many. */
  async round(now = Date.now()): Promise<void> {
    await this.counters.prune();
    await this.rates.prune();
    const since = await this.keys.newestSince();
    if (now - since.getTime() > this.config.signingKeyDays * DAY_MS) await this.keys.rotate();
  }
}
