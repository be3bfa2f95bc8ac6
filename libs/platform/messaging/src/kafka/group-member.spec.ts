import { EventEmitter } from 'node:events';
import type { Consumer, ConsumerConfig } from 'kafkajs';
import { Metrics, Telemetry } from '@acervo/platform-observability';
import { silent, until } from '../../test/support';
import { GroupMember } from './group-member';

const CRASH = 'consumer.crash';
const GROUP_JOIN = 'consumer.group_join';

/** A consumer that joins when it runs and ends when the test decides; the stack suites test the broker. */
class ConsumerOnPaper extends EventEmitter {
  readonly events = { CRASH, GROUP_JOIN };
  runs = 0;
  isOpen = false;

  constructor(private readonly refusal: Error | undefined) {
    super();
  }

  connect(): Promise<void> {
    if (this.refusal !== undefined) return Promise.reject(this.refusal);
    this.isOpen = true;
    return Promise.resolve();
  }

  subscribe = (): Promise<void> => Promise.resolve();

  run(): Promise<void> {
    this.runs += 1;
    this.emit(GROUP_JOIN);
    return Promise.resolve();
  }

  disconnect(): Promise<void> {
    this.isOpen = false;
    return Promise.resolve();
  }

  crash(restart: boolean): void {
    this.emit(CRASH, { payload: { error: new Error('no coordinator'), groupId: 'g', restart } });
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

describe('a member of a consumer group', () => {
  let made: ConsumerOnPaper[];
  let refusals: Error[];
  let metrics: Metrics;
  let member: GroupMember;
  const ends = async (): Promise<number> =>
    (await metrics.registry.getSingleMetric('acervo_events_consumer_ended_total')?.get())?.values[0]?.value ?? 0;
  const last = (): ConsumerOnPaper => made.at(-1) as ConsumerOnPaper;

  beforeEach(() => {
    made = [];
    refusals = [];
    metrics = new Metrics('test');
    const consumer = (_config?: ConsumerConfig): Consumer => {
      made.push(new ConsumerOnPaper(refusals.shift()));
      return last() as unknown as Consumer;
    };
    const settings = { groupId: 'g', topics: ['t'], firstWaitMs: 1 };
    const take = (): Promise<void> => Promise.resolve();
    member = new GroupMember({ consumer }, settings, take, new Telemetry(silent, metrics));
  });
  afterEach(() => member.leave());

  it('a new consumer replaces one that ended for good', async () => {
    await member.join();
    expect(member.isMember).toBe(true);
    const first = last();
    first.crash(false);
    expect(member.isMember).toBe(false);
    await until('it is back', () => member.isMember, 5_000);
    expect(made).toHaveLength(2);
    expect(last().runs).toBe(1);
    expect(first.isOpen).toBe(false);
    expect(await ends()).toBe(1);
    last().crash(false);
    await until('it is back again', () => member.isMember, 5_000);
    expect(made).toHaveLength(3);
    expect(await ends()).toBe(2);
  });

  it('a consumer that restarts itself is not replaced', async () => {
    await member.join();
    last().crash(true);
    expect(member.isMember).toBe(false);
    await settled();
    expect(made).toHaveLength(1);
    last().emit(GROUP_JOIN);
    expect(member.isMember).toBe(true);
  });

  it('joining is retried without a limit', async () => {
    refusals = [new Error('not yet'), new Error('not yet')];
    await member.join();
    expect(made).toHaveLength(3);
    expect(member.isMember).toBe(true);
  });

  it('a member that has left does not rejoin', async () => {
    await member.join();
    await member.leave();
    last().crash(false);
    await settled();
    expect(made).toHaveLength(1);
    expect(last().isOpen).toBe(false);
    expect(member.isMember).toBe(false);
    expect(await ends()).toBe(0);
  });

  it('a member may leave while it waits to join', async () => {
    refusals = Array.from({ length: 50 }, () => new Error('never'));
    const joining = member.join();
    await settled();
    await member.leave();
    await joining;
    const tried = made.length;
    await settled();
    expect(made).toHaveLength(tried);
  });
});
