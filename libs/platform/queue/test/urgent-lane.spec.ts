import { type BoundStage, UrgentLane } from '../src';

const stage = (name: string, batch: number): [string, BoundStage] => [
  name,
  {
    stage: { name, batch, leaseSeconds: 30, attempts: 3 },
    work: () => Promise.resolve(),
    worker: {},
  },
];

/** A lane whose batches take what is left for their group and stage, and tell. */
const open = (left: Record<string, number>, fails: readonly string[] = []) => {
  const worked: string[] = [];
  const complaints: unknown[] = [];
  const runner = {
    runBatch: async ({ stage: { name, batch } }: BoundStage, groupId: string, urgent?: boolean): Promise<number> => {
      const key = `${groupId}/${name}`;
      worked.push(urgent === true ? key : `${key} with everything else`);
      await new Promise((resolve) => setImmediate(resolve));
      if (fails.includes(key)) throw new Error('away');
      const taken = Math.min(batch, left[key] ?? 0);
      left[key] = (left[key] ?? 0) - taken;
      return taken;
    },
  };
  const lane = new UrgentLane(new Map([stage('one', 2), stage('two', 2)]), runner, (error) => complaints.push(error));
  return { lane, worked, complaints };
};

describe('the urgent lane', () => {
  it('takes urgent pieces alone, one batch after the other, and lets others in before it goes on with many', async () => {
    const { lane, worked } = open({ 'a/one': 5, 'b/one': 1 });
    lane.ring({ groupId: 'a', stage: 'one' });
    lane.ring({ groupId: 'b', stage: 'one' });
    await lane.settled();
    expect(worked).toEqual(['a/one', 'b/one', 'a/one', 'a/one']);
  });

  it('hears several rings for the same as one, and one that comes while it works as another', async () => {
    const { lane, worked } = open({ 'a/one': 1 });
    for (let ring = 0; ring < 3; ring += 1) lane.ring({ groupId: 'a', stage: 'one' });
    await lane.settled();
    lane.ring({ groupId: 'a', stage: 'two' });
    await lane.settled();
    expect(worked.filter((key) => key === 'a/one').length).toBeLessThanOrEqual(2);
    expect(worked.at(-1)).toBe('a/two');
  });

  it('tells of a batch that failed and goes on with the next', async () => {
    const { lane, worked, complaints } = open({}, ['a/one']);
    lane.ring({ groupId: 'a', stage: 'one' });
    lane.ring({ groupId: 'b', stage: 'one' });
    await lane.settled();
    expect(complaints).toHaveLength(1);
    expect(worked).toEqual(['a/one', 'b/one']);
  });

  it('begins with nothing once it is stopped', async () => {
    const { lane, worked } = open({ 'a/one': 1 });
    await lane.stop();
    lane.ring({ groupId: 'a', stage: 'one' });
    await lane.settled();
    expect(worked).toEqual([]);
  });
});
