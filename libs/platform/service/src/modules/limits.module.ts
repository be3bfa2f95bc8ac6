import { Inject, Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { type ServiceName, Overloaded, RateLimited } from '@acervo/contracts';
import { SERVICE_NAME } from '@acervo/platform-config';
import { MemoryRates, type Rate, type Rates } from '@acervo/platform-counters';
import { AddressLimiter, ReadinessChecks, RequestAdmission } from '@acervo/platform-http';
import { Logger, Metrics } from '@acervo/platform-observability';
import { FairSemaphore, type Release } from '@acervo/platform-resilience';
import { LimitsConfig, rateOf } from '../settings/limits-config';
import { WorkConfig } from '../settings/work-config';
import { ratesInRedis } from './shared-rates';
import { RedisAccess } from './redis-access';
import { RedisModule } from './redis.module';
import { REQUEST_PLACES } from './service-metrics';

/** A burst of requests waits for its turn; a client whose request waited for so long has better uses of its time. */
const LONGEST_WAIT_MS = 5_000;

/** Limits the requests of an address by GCRA: in Redis for all processes, or in this process. */
@Injectable()
export class RatedAddresses extends AddressLimiter {
  private readonly rates: Rates;
  private readonly rate: Rate;

  constructor(@Inject(SERVICE_NAME) service: ServiceName, redis: RedisAccess, config: LimitsConfig, logger: Logger) {
    super();
    this.rates = config.counters === 'redis' ? ratesInRedis(redis.client, service, logger) : new MemoryRates();
    this.rate = rateOf(config.addressPerMinute, config);
  }

  override async admit(address: string): Promise<void> {
    const { admitted, retryAfterSeconds } = await this.rates.admit([{ name: `address:${address}`, rate: this.rate }]);
    if (!admitted) throw new RateLimited(retryAfterSeconds);
  }
}

/** Bounds the requests that this process works on, their verification included. */
@Injectable()
export class BoundedRequests extends RequestAdmission {
  private readonly requests: FairSemaphore;

  constructor({ requestsAtOnce: permits, requestsWaiting: mostWaiting }: LimitsConfig, metrics: Metrics) {
    super();
    const refusal = (): Error => new Overloaded('this service');
    this.requests = new FairSemaphore({ permits, mostWaiting, refusal, longestWaitMs: LONGEST_WAIT_MS });
    metrics.gauge(REQUEST_PLACES, (gauge) => {
      gauge.set({ state: 'in_use' }, this.requests.inUse);
      gauge.set({ state: 'waiting' }, this.requests.queued);
    });
  }

  override enter(tenant: string, gone: AbortSignal): Promise<Release> {
    return this.requests.enter(tenant, gone);
  }
}

/** Limits of requests by address and by the capacity of this process. */
@Module({
  imports: [RedisModule],
  providers: [
    { provide: AddressLimiter, useClass: RatedAddresses },
    { provide: RequestAdmission, useClass: BoundedRequests },
  ],
  exports: [AddressLimiter, RequestAdmission],
})
export class LimitsModule implements OnModuleInit {
  constructor(
    private readonly redis: RedisAccess,
    private readonly limits: LimitsConfig,
    private readonly work: WorkConfig,
    private readonly readiness: ReadinessChecks,
  ) {}

  onModuleInit(): void {
    // Where the queue uses Redis too, its own check reports it. Without Redis, guesses of sign-in are refused, and each
    // process counts requests for itself.
    if (this.limits.counters !== 'redis' || this.work.queue === 'redis') return;
    this.readiness.add({ name: 'counters', optional: true, check: () => this.redis.client.ping() });
  }
}
