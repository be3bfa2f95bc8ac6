import { type BoundStage, ExpressWorker } from '../src';

const stage = (name: string, batch: number): [string, BoundStage] => [
  name,
  {
    stage: { name, batch, leaseSeconds: 30, attempts: 3 },
    work: () => Promise.resolve(),
    worker: {},
  },
];

/** A worker whose batches claim the rest of their group and stage, and report it. */
const open = (
  left: Record<string, number>,
  fails: readonly string[] = [],
  slow: Readonly<Record<string, Promise<void>>> = {},
) => {
  const worked: string[] = [];
  const complaints: unknown[] = [];
  const runner = {
    runBatch: async ({ stage: { name, batch } }: BoundStage, groupId: string, urgent?: boolean): Promise<number> => {
      const key = `${groupId}/${name}`;
      worked.push(urgent === true ? key : `${key} with everything else`);
      await new Promise((resolve) => setImmediate(resolve));
      await slow[groupId];
      if (fails.includes(key)) throw new Error('away');
      const claimed = Math.min(batch, left[key] ?? 0);
      left[key] = (left[key] ?? 0) - claimed;
      return claimed;
    },
  };
  const worker = new ExpressWorker(new Map([stage('one', 2), stage('two', 2), stage('three', 2)]), runner, (error) =>
    complaints.push(error),
  );
  return { worker, worked, complaints };
};

describe('the express worker', () => {
  it('the express worker runs urgent batches, alternating between groups', async () => {
    const { worker, worked } = open({ 'a/one': 5, 'b/one': 1 });
    worker.signal({ groupId: 'a', stage: 'one' });
    worker.signal({ groupId: 'b', stage: 'one' });
    await worker.settled();
    expect(worked).toEqual(['a/one', 'b/one', 'a/one', 'a/one']);
  });

  it('signals for the same work merge; one during a batch stays', async () => {
    const { worker, worked } = open({ 'a/one': 1 });
    for (let time = 0; time < 3; time += 1) worker.signal({ groupId: 'a', stage: 'one' });
    await worker.settled();
    worker.signal({ groupId: 'a', stage: 'two' });
    await worker.settled();
    expect(worked.filter((key) => key === 'a/one').length).toBeLessThanOrEqual(2);
    expect(worked.at(-1)).toBe('a/two');
  });

  it('a failed batch is reported and the next one runs', async () => {
    const { worker, worked, complaints } = open({}, ['a/one']);
    worker.signal({ groupId: 'a', stage: 'one' });
    worker.signal({ groupId: 'b', stage: 'one' });
    await worker.settled();
    expect(complaints).toHaveLength(1);
    expect(worked).toEqual(['a/one', 'b/one']);
  });

  it('slow urgent batches of two groups delay no third group', async () => {
    let release = (): void => undefined;
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { worker, worked } = open({ 'a/one': 1, 'b/one': 1, 'c/one': 1 }, [], { a: slow, b: slow });
    for (const groupId of ['a', 'b', 'c']) worker.signal({ groupId, stage: 'one' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(worked).toContain('c/one');
    release();
    await worker.settled();
  });

  it('one group runs at most two urgent batches at a time', async () => {
    let release = (): void => undefined;
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { worker, worked } = open({}, [], { a: slow });
    for (const stage of ['one', 'two', 'three']) worker.signal({ groupId: 'a', stage });
    await new Promise((resolve) => setImmediate(resolve));
    expect(worked).toEqual(['a/one', 'a/two']);
    release();
    await worker.settled();
    expect(worked).toEqual(['a/one', 'a/two', 'a/three']);
  });

  it('a stopped express worker starts no batch', async () => {
    const { worker, worked } = open({ 'a/one': 1 });
    await worker.stop();
    worker.signal({ groupId: 'a', stage: 'one' });
    await worker.settled();
    expect(worked).toEqual([]);
  });
});
