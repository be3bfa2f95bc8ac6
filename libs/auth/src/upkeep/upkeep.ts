import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Counters, Rates } from '@acervo/platform-counters';
import { Logger } from '@acervo/platform-observability';
import { HOURLY, Periodic } from '@acervo/platform-resilience';
import { AuthConfig } from '../auth-config';
import { SigningKeys } from '../secrets/signing-keys';
import { ExpiredRows } from './expired-rows.store';

const DAY_MS = 86_400_000;

/** Recurring upkeep: creates the next signing key when the newest has served its time; deletes old counts and rows. */
@Injectable()
export class Upkeep implements OnModuleInit, OnModuleDestroy {
  private readonly rounds = new Periodic(() => this.round(), {
    ...HOURLY,
    failed: (error) => this.logger.warn({ error }, 'upkeep of sign-in failed; it runs again in an hour'),
  });

  constructor(
    private readonly keys: SigningKeys,
    private readonly counters: Counters,
    private readonly rates: Rates,
    private readonly expired: ExpiredRows,
    private readonly config: AuthConfig,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.rounds.start();
  }

  onModuleDestroy(): void {
    void this.rounds.stop();
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
