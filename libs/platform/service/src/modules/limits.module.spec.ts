import { LimitsConfig } from '../settings/limits-config';
import { readConfig } from '@acervo/platform-config';
import { Metrics } from '@acervo/platform-observability';
import { pause } from '@acervo/platform-resilience';
import { BoundedRequests } from './limits.module';

/** A search of a busy machine. */
const SEARCH_MS = 100;

describe('the places of one machine', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const metrics = (): Metrics => new Metrics('gateway');
  const open = (registry = metrics()): BoundedRequests =>
    new BoundedRequests(readConfig(LimitsConfig, { ACERVO_REQUESTS_AT_ONCE: '4' }), registry);

  /** Clients of a tenant, each with one request after the other; a refused client asks again. */
  const clients = async (places: BoundedRequests, tenant: string, count: number, requests: number) => {
    const found = { waits: [] as number[], refused: 0 };
    const client = async (): Promise<void> => {
      for (let request = 0; request < requests; request += 1) {
        const since = performance.now();
        try {
          const release = await places.enter(tenant, new AbortController().signal);
          found.waits.push(performance.now() - since);
          await pause(SEARCH_MS);
          release();
        } catch {
          found.refused += 1;
        }
      }
    };
    await Promise.all(Array.from({ length: count }, client));
    return found;
  };

  it.each([8, 32])('%d clients of one key are never refused', async (count) => {
    const registry = metrics();
    const all = clients(open(registry), 'a', count, 75);
    // As long as all searches take one after the other.
    await jest.advanceTimersByTimeAsync(count * 75 * SEARCH_MS);
    const { waits, refused } = await all;
    expect([waits.length, refused]).toEqual([count * 75, 0]);
    const text = await registry.registry.metrics();
    expect(text).toMatch(/^acervo_request_places\{state="in_use",service="gateway"\} 0$/m);
    expect(text).toMatch(/^acervo_request_places\{state="waiting",service="gateway"\} 0$/m);
  });
  it('one client beside eight of another group waits for one request', async () => {
    const places = open();
    const [crowd, alone] = [clients(places, 'a', 8, 75), clients(places, 'b', 1, 75)];
    await jest.advanceTimersByTimeAsync(9 * 75 * SEARCH_MS);
    const [many, one] = await Promise.all([crowd, alone]);
    expect([many.waits.length, many.refused, one.waits.length, one.refused]).toEqual([600, 0, 75, 0]);
    expect(Math.max(...one.waits)).toBeLessThanOrEqual(SEARCH_MS);
  });
  it('a request waits for more than a second before it is refused', async () => {
    const places = open();
    const gone = new AbortController().signal;
    const stuck = await Promise.all(Array.from({ length: 4 }, () => places.enter('a', gone)));
    let refused = 0;
    const waiting = Promise.all(Array.from({ length: 8 }, () => places.enter('b', gone).catch(() => (refused += 1))));
    await jest.advanceTimersByTimeAsync(1_500);
    expect(refused).toBe(0);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(refused).toBe(8);
    for (const release of stuck) release();
    await waiting;
  });
});
