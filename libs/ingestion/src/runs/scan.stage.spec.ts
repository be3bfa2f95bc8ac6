import type { Database } from '@acervo/platform-database';
import type { Claimed, Tasks } from '@acervo/platform-queue';
import { WorkScope } from '@acervo/rbac';
import { SCAN } from '../pipeline/stages';
import type { ScanStageParts } from './scan.stage';
import { ScanStage } from './scan.stage';
import { unscanned } from './scan-summary';

describe('a scan that somebody asked for', () => {
  afterEach(() => jest.useRealTimers());

  it('keeps its lease while a share is walked for minutes, and lets go at the end', async () => {
    jest.useFakeTimers();
    let heartbeats = 0;
    let ended: (summary: ReturnType<typeof unscanned>) => void = () => undefined;
    const parts = {
      database: { write: (_scope: unknown, work: (tx: unknown) => unknown) => Promise.resolve(work({})) },
      tasks: {
        heartbeat: () => Promise.resolve(void (heartbeats += 1)),
        dismiss: () => Promise.resolve(),
      } as unknown as Tasks,
      locations: { find: () => Promise.resolve({ code: 'L1' }) },
      runs: { planned: () => Promise.resolve({ run: 1, locationCode: 'L1' }), finish: () => Promise.resolve() },
      scans: { scan: () => new Promise((resolve) => (ended = resolve)) },
    } as unknown as ScanStageParts & { readonly database: Database };
    const group = '11111111-1111-4111-8111-111111111111';
    const lease = { groupId: group, subjectId: group, stage: SCAN.name, generation: 1 } as unknown as Claimed;
    const scanning = new ScanStage(parts).scan(new WorkScope(group, 'ingestion', 'test'), [lease]);
    const minutes = 5;
    await jest.advanceTimersByTimeAsync(minutes * 60_000);
    // Two of them may be lost before the lease is.
    expect(heartbeats).toBeGreaterThanOrEqual((minutes * 60) / (SCAN.leaseSeconds / 2));
    ended(unscanned('over'));
    await scanning;
    const until = heartbeats;
    await jest.advanceTimersByTimeAsync(60_000);
    expect(heartbeats).toBe(until);
  });
});
