import type { BackgroundDatabase } from '@acervo/platform-database';
import { Outbox } from '@acervo/platform-messaging';
import type { Claimed, Tasks } from '@acervo/platform-queue';
import { WorkScope } from '@acervo/rbac';
import type { LocationStore } from '../locations/location.store';
import { SCAN } from '../kernel/stages';
import { DoubtedScans } from './doubted-scans';
import type { RunStore } from './run.store';
import type { ScanService } from './scan.service';
import { ScanStage } from './scan.stage';
import { unscanned } from './scan-summary';

describe('a scan task', () => {
  afterEach(() => jest.useRealTimers());

  it('the lease is renewed during a long walk and then released', async () => {
    jest.useFakeTimers();
    let heartbeats = 0;
    let ended: (summary: ReturnType<typeof unscanned>) => void = () => undefined;
    const database = { write: (_scope: unknown, work: (tx: unknown) => unknown) => Promise.resolve(work({})) };
    const tasks = {
      renew: (leases: readonly Claimed[]) => {
        heartbeats += 1;
        return Promise.resolve(leases);
      },
      completeAndDelete: () => Promise.resolve(),
    };
    const locations = { find: () => Promise.resolve({ code: 'L1' }) };
    const runs = {
      planned: () => Promise.resolve({ run: 1, locationCode: 'L1' }),
      finish: () => Promise.resolve(),
    };
    const scans = { scan: () => new Promise((resolve) => (ended = resolve)) };
    const stage = new ScanStage(
      database as unknown as BackgroundDatabase,
      tasks as unknown as Tasks,
      locations as unknown as LocationStore,
      runs as unknown as RunStore,
      scans as unknown as ScanService,
      new DoubtedScans(new Outbox('ingestion')),
    );
    const group = '11111111-1111-4111-8111-111111111111';
    const lease = { groupId: group, subjectId: group, stage: SCAN.name, generation: 1 } as unknown as Claimed;
    const scanning = stage.scan(new WorkScope(group, 'ingestion', 'test'), [lease], new AbortController().signal);
    const minutes = 5;
    await jest.advanceTimersByTimeAsync(minutes * 60_000);
    // Two heartbeats may be lost before the lease expires.
    expect(heartbeats).toBeGreaterThanOrEqual((minutes * 60) / (SCAN.leaseSeconds / 2));
    ended(unscanned('over'));
    await scanning;
    const until = heartbeats;
    await jest.advanceTimersByTimeAsync(60_000);
    expect(heartbeats).toBe(until);
  });
});
