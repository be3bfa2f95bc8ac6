import { PendingChanges } from './pending-changes';

const times = { quietMs: 300, settledMs: 2_000, longestMs: 30_000, longestGrowthMs: 600_000 };
const written = (path: string) => ({ path, isWritten: true });
const renamed = (path: string) => ({ path, isWritten: false });

describe('the changes of a watched folder', () => {
  let changes: PendingChanges;
  beforeEach(() => (changes = new PendingChanges(times)));

  it('a new file is due after a short quiet time', () => {
    expect(changes.dueAt()).toBeUndefined();
    changes.add(renamed('a'), 0);
    changes.add(written('a'), 20);
    expect(changes.dueAt()).toBe(320);
    changes.take(320);
    expect(changes.dueAt()).toBeUndefined();
  });

  it('a file is not due while it grows, however long', () => {
    changes.add(renamed('a'), 0);
    for (let now = 50; now <= 60_000; now += 100) {
      changes.add(written('a'), now);
      expect(changes.dueAt()).toBeGreaterThan(now);
    }
    expect(changes.dueAt()).toBe(59_950 + 2_000);
  });

  it('a file that grows in bursts waits after its second burst', () => {
    changes.add(renamed('a'), 0);
    changes.take(300);
    changes.add(written('a'), 1_000);
    expect(changes.dueAt()).toBe(3_000);
    changes.add(written('a'), 2_500);
    expect(changes.dueAt()).toBe(4_500);
  });

  it('a file that grows for ever is due after the longest growth', () => {
    const scans: number[] = [];
    for (let now = 0; now < 1_500_000; now += 100) {
      changes.add(written('a'), now);
      if ((changes.dueAt() ?? Infinity) > now) continue;
      changes.take(now);
      scans.push(now);
    }
    expect(scans).toEqual([600_000, 1_200_100]);
  });

  it('a growing file delays no other change', () => {
    for (let now = 0; now <= 5_000; now += 100) changes.add(written('a'), now);
    changes.add(renamed('b'), 5_050);
    changes.add(written('a'), 5_100);
    expect(changes.dueAt()).toBe(5_350);
    changes.take(5_350);
    expect(changes.dueAt()).toBe(7_100);
  });

  it('a growing file that is deleted or renamed is a small change', () => {
    for (let now = 0; now <= 5_000; now += 100) changes.add(written('a'), now);
    changes.add(renamed('a'), 5_100);
    expect(changes.dueAt()).toBe(5_400);
  });

  it('a file that is written again later is a small change', () => {
    changes.add(written('a'), 0);
    changes.take(300);
    changes.add(written('a'), 2_500);
    expect(changes.dueAt()).toBe(2_800);
  });

  it('a copy of many files waits for the longer quiet time', () => {
    for (let count = 0; count < 60; count += 1) changes.add(renamed(`${count}`), count);
    expect(changes.dueAt()).toBe(59 + 2_000);
  });

  it('a busy folder is due after the longest time', () => {
    for (let now = 0; now <= 40_000; now += 200) changes.add(renamed(`${now}`), now);
    expect(changes.dueAt()).toBe(30_000);
  });
});
