import { Setting } from '@acervo/platform-config';
import type { Rate } from '@acervo/platform-counters';
import { CountersConfig } from './counters-config';

const PER_MINUTE = { min: 1, max: 10_000_000 } as const;

/** How many requests a minute are answered, and how many at a time; every service has these settings. */
export class LimitsConfig extends CountersConfig {
  @Setting({
    env: 'ACERVO_ADDRESS_RATE',
    default: 3_000,
    ...PER_MINUTE,
    description:
      'Requests a minute of one IPv4 address or IPv6 /64 network, counted before the credential is read: by each process, or in Redis where counters are there; `npm start` allows 12,000 unless this is set',
  })
  readonly addressPerMinute!: number;
  @Setting({
    env: 'ACERVO_KEY_RATE',
    default: 600,
    ...PER_MINUTE,
    description: 'Requests a minute of one API key; `npm start` allows 6,000 unless this is set',
  })
  readonly keyPerMinute!: number;
  @Setting({
    env: 'ACERVO_USER_RATE',
    default: 1_200,
    ...PER_MINUTE,
    description:
      'Requests a minute of one user, all keys and sessions together; `npm start` allows 12,000 unless this is set',
  })
  readonly userPerMinute!: number;
  @Setting({
    env: 'ACERVO_RATE_BURST_SECONDS',
    default: 20,
    min: 1,
    max: 3_600,
    description: 'Seconds whose requests may come at once, of each of these limits',
  })
  readonly burstSeconds!: number;
  @Setting({
    env: 'ACERVO_REQUESTS_AT_ONCE',
    default: 32,
    min: 1,
    max: 10_000,
    description:
      'Requests that a process works on at a time; while requests of several groups wait, one group gets at most half of them',
  })
  readonly requestsAtOnce!: number;
  @Setting({
    env: 'ACERVO_REQUESTS_WAITING',
    default: 128,
    min: 0,
    max: 100_000,
    description:
      'Requests that may wait for that, for 5 seconds at most; further ones get 503, those of the group with the most waiting ones first',
  })
  readonly requestsWaiting!: number;
}

/** The rate of a limit and its burst. */
export const rateOf = (perMinute: number, { burstSeconds }: Pick<LimitsConfig, 'burstSeconds'>): Rate => ({
  perMinute,
  burst: Math.max(1, Math.floor((perMinute * burstSeconds) / 60)),
});
