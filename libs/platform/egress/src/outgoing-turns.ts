import type { Rates } from '@acervo/platform-counters';
import { pause } from '@acervo/platform-resilience';
import { EgressBusy } from './egress.errors';

export interface TurnLimits {
  /** Requests to one host in a second. */
  readonly requestsPerSecond: number;
  /** Requests of one group in an hour. */
  readonly groupPerHour: number;
}

/** How long a request waits for the turn of its host. */
const MOST_WAIT_MS = 60_000;
const LEAST_PAUSE_MS = 10;
const MINUTES_OF_HOUR = 60;

/** Spaces the requests of all groups to a host, and limits those of one group. */
export class OutgoingTurns {
  constructor(
    private readonly rates: Rates,
    private readonly limits: TurnLimits,
  ) {}

  /**
   * Waits for the turn of a host. A caller that is refused or gone takes none.
   * @param spacingSeconds what the site asks for; the setting holds where that is longer
   * @throws EgressBusy when the group has used up its hour, or the host stays busy for a minute
   */
  async take(group: string, host: string, spacingSeconds: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    await this.spend(group);
    const every = Math.max(spacingSeconds, 1 / this.limits.requestsPerSecond);
    const rate = { perMinute: 60 / every, burst: 1 };
    const pauseMs = Math.max(LEAST_PAUSE_MS, (every * 1_000) / 4);
    for (
      let waited = 0;
      !(await this.rates.admit([{ name: `egress:host:${host}`, rate }])).admitted;
      waited += pauseMs
    ) {
      if (waited >= MOST_WAIT_MS) throw new EgressBusy('HOST', Math.ceil(every));
      await pause(pauseMs, signal);
      signal?.throwIfAborted();
    }
  }

  private async spend(group: string): Promise<void> {
    const { groupPerHour } = this.limits;
    const rate = { perMinute: groupPerHour / MINUTES_OF_HOUR, burst: Math.max(1, groupPerHour) };
    const { admitted, retryAfterSeconds } = await this.rates.admit([{ name: `egress:group:${group}`, rate }]);
    if (!admitted) throw new EgressBusy('GROUP', retryAfterSeconds);
  }
}
