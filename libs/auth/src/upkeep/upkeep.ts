import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Counters, Rates } from '@acervo/platform-counters';
import { Logger } from '@acervo/platform-observability';
import { AuthConfig } from '../auth-config';
import { SigningKeys } from '../tokens/signing-keys';
import { ExpiredRows } from './expired-rows.store';

/** The first run; an installation that is restarted every hour has one too. */
const FIRST_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Recurring upkeep: creates the next signing key when the newest has served its time; deletes old counts and rows. */
@Injectable()
export class Upkeep implements OnModuleInit, OnModuleDestroy {
  private timers: readonly NodeJS.Timeout[] = [];

  constructor(
    private readonly keys: SigningKeys,
    private readonly counters: Counters,
    private readonly rates: Rates,
    private readonly expired: ExpiredRows,
    private readonly config: AuthConfig,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    const round = (): void =>
      void this.round().catch((error: unknown) =>
        this.logger.warn({ error }, 'upkeep of sign-in failed; it runs again in an hour'),
      );
    this.timers = [setTimeout(round, FIRST_MS), setInterval(round, HOUR_MS)];
    for (const timer of this.timers) timer.unref();
  }

  onModuleDestroy(): void {
    for (const timer of this.timers) clearTimeout(timer);
  }

  /** One run; safe for several replicas at once, which at worst create a key too many. */
  async round(now = Date.now()): Promise<void> {
    const since = await this.keys.newestSince();
    if (now - since.getTime() > this.config.signingKeyDays * DAY_MS) await this.keys.rotate();
    await this.counters.prune();
    await this.rates.prune();
    await this.expired.prune();
  }
}
