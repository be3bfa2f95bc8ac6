import type { BackgroundDatabase, Transaction } from '@acervo/platform-database';
import type { Lease, Tasks } from '@acervo/platform-queue';
import { WorkScope } from '@acervo/rbac';
import { CLASSIFY_AGAIN } from '../kernel/stages';
import { type ClassificationBacklog, ROUNDS } from '../taxonomy/classification-backlog';
import type { OpeningVectors } from '../classification/opening-vectors';
import type { Reclassification, SliceResult } from './reclassification';
import { ReclassificationStage } from './reclassification.stage';
import type { StaleDocumentsStore } from './stale-documents.store';

describe('a slice that takes longer than its lease', () => {
  afterEach(() => {
    jest.useRealTimers();
  });
  it('keeps its lease until it ends', async () => {
    jest.useFakeTimers();
    const renew = jest.fn((leases: readonly Lease[]) => Promise.resolve(leases));
    const tasks = { renew, complete: () => Promise.resolve() } as unknown as Tasks;
    const inTransaction = <T>(_scope: unknown, work: (tx: Transaction) => Promise<T>): Promise<T> =>
      work({} as Transaction);
    const database = { read: inTransaction, write: inTransaction } as unknown as BackgroundDatabase;
    const stale = {
      ...{ documentsWait: () => Promise.resolve(false), version: () => Promise.resolve(1) },
      ...{ every: () => Promise.resolve([{ documentId: 'd' }]), left: () => Promise.resolve({ stale: true }) },
    } as unknown as StaleDocumentsStore;
    const backlog = { enqueue: () => Promise.resolve() } as unknown as ClassificationBacklog;
    const sliceMs = 3 * CLASSIFY_AGAIN.leaseSeconds * 1_000;
    const classify = (): Promise<SliceResult> =>
      new Promise((resolve) => {
        setTimeout(() => resolve({ lacksVectors: false }), sliceMs);
      });
    const reclassification = { classify } as unknown as Reclassification;
    const vectors = { isPossible: true } as OpeningVectors;
    const stage = new ReclassificationStage(database, tasks, stale, backlog, reclassification, vectors);
    const lease = { generation: ROUNDS.every, payload: null } as unknown as Lease;
    const work = stage.work(new WorkScope('G', 'test', 'test'), [lease], new AbortController().signal);
    await jest.advanceTimersByTimeAsync(sliceMs);
    await work;
    const renewed = renew.mock.calls.length;
    expect(renewed).toBeGreaterThanOrEqual(8);
    await jest.advanceTimersByTimeAsync(sliceMs);
    expect(renew).toHaveBeenCalledTimes(renewed);
  });
});
