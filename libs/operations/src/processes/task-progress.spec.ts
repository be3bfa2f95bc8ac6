import { NotFound } from '@acervo/contracts';
import { progressOf, type TurnTask } from './task-progress';

const now = new Date('2026-11-26T10:00:00Z');
const ana = { userId: 'u1', code: 'ana@example.test' };
const task = (code: string, over: Partial<TurnTask> = {}): TurnTask => ({
  ...{ code, status: 'PENDIENTE', assignee: null, days: null },
  ...over,
});
const tasks = [task('A'), task('B', { assignee: ana, days: 3 }), task('C')];

describe('the tasks of a process', () => {
  it('the turn of the next task brings its person and its day', () => {
    expect(progressOf(tasks, [{ code: 'A', status: 'HECHA' }], now)).toEqual({
      changed: [{ code: 'A', status: 'HECHA' }],
      isOver: false,
      turn: { assignedTo: ana, dueAt: new Date('2026-11-29T10:00:00Z') },
    });
  });
  it('a task without person and days leaves both as they are', () => {
    const done = [task('A', { status: 'HECHA' }), task('B'), task('C')];
    expect(progressOf(done, [{ code: 'B', status: 'OMITIDA' }], now).turn).toEqual({});
  });
  it('a later task changes no turn', () => {
    expect(progressOf(tasks, [{ code: 'C', status: 'HECHA' }], now)).toMatchObject({ isOver: false, turn: {} });
  });
  it('the last one that is done or skipped ends it', () => {
    const changes = [
      { code: 'A', status: 'HECHA' },
      { code: 'B', status: 'OMITIDA' },
      { code: 'C', status: 'HECHA' },
    ] as const;
    expect(progressOf(tasks, changes, now)).toMatchObject({ isOver: true, turn: {} });
    expect(progressOf([], [], now).isOver).toBe(false);
  });
  it('an unknown task is not found, and one that stays as it is does not change', () => {
    expect(() => progressOf(tasks, [{ code: 'X', status: 'HECHA' }], now)).toThrow(NotFound);
    expect(progressOf(tasks, [{ code: 'A', status: 'PENDIENTE' }], now).changed).toEqual([]);
  });
});
