import { Injectable } from '@nestjs/common';
import { RateLimited, type ScopeClaims } from '@acervo/contracts';
import { type Rate, type RatedName, Rates } from '@acervo/platform-counters';
import { LimitsConfig, rateOf } from '@acervo/platform-service';

/** Limits the requests of each API key and of each user, over all services and processes. */
@Injectable()
export class RequestLimits {
  private readonly key: Rate;
  private readonly user: Rate;

  constructor(
    private readonly rates: Rates,
    config: LimitsConfig,
  ) {
    this.key = rateOf(config.keyPerMinute, config);
    this.user = rateOf(config.userPerMinute, config);
  }

  /** Counts one request of a verified credential. @throws RateLimited, and any error when it cannot count */
  async admit({ credential, credentialId, groupId, userId }: ScopeClaims): Promise<void> {
    const counters: RatedName[] = [{ name: `user:${userId}`, rate: this.user }];
    if (credential === 'api_key') counters.push({ name: `key:${groupId}:${credentialId}`, rate: this.key });
    const { admitted, retryAfterSeconds } = await this.rates.admit(counters);
    if (!admitted) throw new RateLimited(retryAfterSeconds);
  }
}
