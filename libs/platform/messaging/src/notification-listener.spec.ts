import { type Left, NotificationListener } from './notification-listener';
import type { HearNotification } from './notifications';

/** A connection that a test opens, and whose notifications it sends. */
class Connection {
  hear: HearNotification = () => undefined;
  opened: () => void = () => undefined;

  on(_channel: string, hear: HearNotification, opened: () => void): () => Promise<void> {
    Object.assign(this, { hear, opened });
    return () => Promise.resolve();
  }
}

describe('a notification listener', () => {
  const connection = new Connection();
  const rounds: number[] = [];
  let left: Left;
  let clock = 0;
  let listener: NotificationListener;
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      await jest.advanceTimersByTimeAsync(1_000);
      clock += 1;
    }
  };
  /** The seconds at which rounds began, since the last call. */
  const begun = (): readonly number[] => rounds.splice(0);

  beforeEach(() => {
    jest.useFakeTimers();
    [left, clock] = ['nothing', 0];
    begun();
    const work = (): Promise<Left> => {
      rounds.push(clock);
      return Promise.resolve(left);
    };
    listener = new NotificationListener(connection, 'events', work, (payload) => payload !== 'of others');
    listener.start();
  });
  afterEach(async () => {
    await listener.stop();
    jest.useRealTimers();
  });

  const settle = async (): Promise<void> => {
    await pass(60);
    begun();
  };

  it('looks every second while leases of a killed process may last', async () => {
    await pass(20);
    expect(begun().length).toBeGreaterThanOrEqual(20);
  });

  it('looks every eight seconds once rounds leave nothing', async () => {
    await settle();
    await pass(80);
    expect(begun()).toHaveLength(10);
  });

  it('looks every second while something is left', async () => {
    await settle();
    left = 'something';
    await pass(8);
    begun();
    await pass(10);
    expect(begun()).toHaveLength(10);
  });

  it('hears a notification at once, and looks again soon after it', async () => {
    await settle();
    connection.hear('ours');
    await pass(0);
    expect(begun()).toEqual([60]);
    await pass(3);
    expect(begun().length).toBeGreaterThanOrEqual(1);
  });

  it('leaves the notifications of others to them', async () => {
    await settle();
    connection.hear('of others');
    await pass(8);
    expect(begun()).toHaveLength(1);
  });

  it('looks once its connection is open, for what it missed', async () => {
    await settle();
    connection.opened();
    expect(begun()).toEqual([60]);
  });
});
