import type { ConnectionPriority } from '../connection';
import { SessionScheduler } from './session-scheduler';

/** Lets `count` callers wait behind a busy one; answers the order in which they are served. */
const orderOf = async (priorities: readonly ConnectionPriority[], expected = priorities.length): Promise<string[]> => {
  const scheduler = new SessionScheduler<string>();
  const order: string[] = [];
  await scheduler.acquire('working', 'interactive');
  const served = priorities.map(async (priority, index) => {
    const name = `${priority[0]}${index}`;
    await scheduler.acquire(name, priority);
    order.push(name);
    scheduler.release(name);
  });
  scheduler.release('working');
  await Promise.all(served);
  expect(order).toHaveLength(expected);
  return order;
};

const many = (count: number, priority: ConnectionPriority): ConnectionPriority[] =>
  Array.from({ length: count }, () => priority);

describe('the session of the engine', () => {
  it('an idle session is given at once', async () => {
    const scheduler = new SessionScheduler<string>();
    await scheduler.acquire('a', 'background');
    expect(scheduler.current).toBe('a');
  });
  it('the owner of the session does not wait for it', async () => {
    const scheduler = new SessionScheduler<string>();
    await scheduler.acquire('a', 'interactive');
    await scheduler.acquire('a', 'interactive');
    scheduler.release('a');
    expect(scheduler.current).toBeUndefined();
  });
  it('only the owner passes the session on', async () => {
    const scheduler = new SessionScheduler<string>();
    await scheduler.acquire('a', 'interactive');
    scheduler.release('b');
    expect(scheduler.current).toBe('a');
  });
  it('the session has one owner at a time', async () => {
    const scheduler = new SessionScheduler<number>();
    let working = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        await scheduler.acquire(index, index % 3 === 0 ? 'background' : 'interactive');
        working += 1;
        most = Math.max(most, working);
        await new Promise((resolve) => setImmediate(resolve));
        working -= 1;
        scheduler.release(index);
      }),
    );
    expect(most).toBe(1);
    expect(scheduler.current).toBeUndefined();
  });
});

describe('the order of connections', () => {
  it('connections of one priority are served in order of arrival', async () => {
    expect(await orderOf(many(5, 'interactive'))).toEqual(['i0', 'i1', 'i2', 'i3', 'i4']);
    expect(await orderOf(many(3, 'background'))).toEqual(['b0', 'b1', 'b2']);
  });
  it('interactive work precedes earlier background work', async () => {
    expect(await orderOf(['background', 'background', 'interactive', 'interactive'])).toEqual(['i2', 'i3', 'b0', 'b1']);
  });
  it('endless interactive work leaves every eighth turn to the background', async () => {
    const order = await orderOf([...many(3, 'background'), ...many(40, 'interactive')]);
    expect(order.flatMap((name, index) => (name.startsWith('b') ? [index] : []))).toEqual([7, 15, 23]);
  });
  it('the background finishes when interactive work ends', async () => {
    const order = await orderOf([...many(10, 'background'), 'interactive']);
    expect(order[0]).toBe('i10');
    expect(order.slice(1)).toEqual(many(10, 'background').map((_, index) => `b${index}`));
  });
  it('couriers come after interactive work and before the background', async () => {
    expect(await orderOf(['background', 'courier', 'interactive', 'background', 'courier'])).toEqual([
      'i2',
      'c1',
      'c4',
      'b0',
      'b3',
    ]);
  });
  it('endless couriers leave every eighth turn to the background', async () => {
    const order = await orderOf([...many(2, 'background'), ...many(20, 'courier')]);
    expect(order.flatMap((name, index) => (name.startsWith('b') ? [index] : []))).toEqual([7, 15]);
  });
  it('endless interactive work leaves every eighth turn to couriers', async () => {
    const order = await orderOf([...many(3, 'courier'), ...many(40, 'interactive')]);
    expect(order.flatMap((name, index) => (name.startsWith('c') ? [index] : []))).toEqual([7, 15, 23]);
  });
  it('couriers and background alternate in these turns when both wait', async () => {
    const order = await orderOf([...many(3, 'background'), ...many(3, 'courier'), ...many(40, 'interactive')]);
    expect(order.filter((name) => !name.startsWith('i')).map((name) => name[0])).toEqual([...'bcbcbc']);
  });
});
