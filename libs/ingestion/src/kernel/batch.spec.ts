import type { Lease } from '@acervo/platform-queue';
import { WorkBatch, type BatchWork } from './batch';
import { LeaseRenewal } from './lease-renewal';

const lease = (subjectId: string): Lease => ({
  groupId: 'g',
  subjectId,
  stage: 's',
  generation: 1,
  attempts: 1,
  priority: 0,
  token: 't',
  payload: {},
});
const leases = (...names: string[]): Lease[] => names.map(lease);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

// A virtual clock: the durations of the pieces order them exactly, however busy the machine is.
beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('a batch', () => {
  const ran: string[] = [];
  let atWork = 0;
  let most = 0;
  beforeEach(() => {
    ran.length = 0;
    atWork = 0;
    most = 0;
  });
  /** A piece takes the milliseconds that its name gives after the dash. */
  const work = async (options: Partial<BatchWork> & Pick<BatchWork, 'leases'>): Promise<void> => {
    const running = new WorkBatch({
      atOnce: 2,
      slowMs: 40,
      another: () => Promise.resolve(undefined),
      othersWait: () => Promise.resolve(false),
      release: () => Promise.resolve(),
      stopping: new AbortController().signal,
      one: async ({ subjectId }) => {
        atWork += 1;
        most = Math.max(most, atWork);
        await pause(Number(subjectId.split('-')[1] ?? 1));
        atWork -= 1;
        ran.push(subjectId);
      },
      ...options,
    }).run();
    await Promise.all([running, jest.advanceTimersByTimeAsync(1_000)]);
  };

  it('each piece runs once, within the concurrency limit', async () => {
    await work({ leases: leases('a', 'b', 'c', 'd', 'e'), atOnce: 3 });
    expect([ran.toSorted(), most]).toEqual([['a', 'b', 'c', 'd', 'e'], 3]);
  });

  it('pieces run in order with a concurrency of one', async () => {
    await work({ leases: leases('a-20', 'b-5', 'c-1'), atOnce: 1 });
    expect([ran, most]).toEqual([['a-20', 'b-5', 'c-1'], 1]);
  });

  it('at the end of the process running pieces end, and others are released', async () => {
    const stopping = new AbortController();
    const released: string[] = [];
    setTimeout(() => stopping.abort(), 60);
    await work({
      leases: leases('a-120', 'b-30', 'c-120', 'd', 'e'),
      stopping: stopping.signal,
      another: () => Promise.reject(new Error('A piece began.')),
      release: (open) => Promise.resolve(void released.push(...open.map(({ subjectId }) => subjectId))),
    });
    expect([ran, released]).toEqual([
      ['b-30', 'a-120', 'c-120'],
      ['d', 'e'],
    ]);
  });

  it('more pieces are leased while a slow one runs', async () => {
    const more = leases('m', 'n', 'o');
    await work({ leases: leases('slow-200', 'a'), another: () => Promise.resolve(more.splice(0)) });
    expect(ran).toEqual(['a', 'm', 'n', 'o', 'slow-200']);
  });

  it('all idle workers share one lease of further pieces', async () => {
    const more = leases('m-30', 'n-30', 'o-30');
    let asked = 0;
    const another = async (): Promise<Lease[]> => {
      asked += more.length;
      await pause(20);
      return more.splice(0);
    };
    await work({ leases: leases('slow-100', 'a', 'b', 'c'), atOnce: 4, another });
    expect([ran.toSorted(), asked]).toEqual([['a', 'b', 'c', 'm-30', 'n-30', 'o-30', 'slow-100'], 3]);
  });

  it('while others wait, a slow batch leases no further piece', async () => {
    const another = jest.fn(() => Promise.resolve(leases('m')));
    await work({ leases: leases('slow-200', 'a'), another, othersWait: () => Promise.resolve(true) });
    expect([ran, another.mock.calls]).toEqual([['a', 'slow-200'], []]);
  });

  it('while others wait, a long batch releases the pieces not begun', async () => {
    const released: string[] = [];
    const release = (open: readonly Lease[]): Promise<void> => {
      released.push(...open.map(({ subjectId }) => subjectId));
      return Promise.resolve();
    };
    const all = leases('a-60', 'b-60', 'c-60', 'd-60', 'e-60');
    await work({ leases: all, othersWait: () => Promise.resolve(true), release });
    expect([ran.toSorted(), released]).toEqual([
      ['a-60', 'b-60'],
      ['c-60', 'd-60', 'e-60'],
    ]);
  });

  it('quick pieces cause no further lease', async () => {
    const another = jest.fn(() => Promise.resolve(undefined));
    await work({ leases: leases('a-5', 'b-10', 'c-2'), another });
    expect(another).not.toHaveBeenCalled();
  });

  it('an error that concerns all pieces fails the batch', async () => {
    await expect(work({ leases: leases('a'), one: () => Promise.reject(new Error('away')) })).rejects.toThrow('away');
  });
});

describe('leases of a batch', () => {
  it('waiting and running leases are renewed until they are done or lost', async () => {
    const renewed: string[] = [];
    const renew = <L extends Lease>(open: readonly L[]): Promise<readonly L[]> => {
      renewed.push(...open.map(({ subjectId }) => subjectId));
      return Promise.resolve(open.filter(({ subjectId }) => subjectId !== 'lost'));
    };
    const [slow, quick, lost] = leases('slow', 'quick', 'lost') as [Lease, Lease, Lease];
    const renewal = new LeaseRenewal({ renew }, [slow, quick, lost], 0.06);
    await jest.advanceTimersByTimeAsync(30);
    renewal.done(quick);
    await jest.advanceTimersByTimeAsync(60);
    await renewal.close();
    await jest.advanceTimersByTimeAsync(60);
    expect(renewed).toEqual(['slow', 'quick', 'lost', 'slow', 'slow', 'slow']);
  });
});
