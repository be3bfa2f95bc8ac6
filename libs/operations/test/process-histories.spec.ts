import { randomUUID } from 'node:crypto';
import {
  createGroupProcess,
  createGroupTask,
  deleteProcess,
  listProcesses,
  type Process,
  reorderProcesses,
  updateGroupProcess,
  updateProcess,
} from '@acervo/contracts';
import { processPriority, type ProcessPriority, type ProcessStatus } from '@acervo/public-mapping';
import { administratorOf, type ServiceTestBed } from '@acervo/platform-test-bed';
import type { Scope } from '@acervo/rbac';
import fc from 'fast-check';
import { openBed } from './bed';

const TASKS = ['READ', 'SIGN'] as const;
const OVER: readonly ProcessStatus[] = ['TERMINADO', 'CANCELADO'];

/** A process as plain data. */
interface ListedProcess {
  readonly code: string;
  priority: ProcessPriority;
  dueAt: string | null;
  position: number;
  status: ProcessStatus;
  done: Set<string>;
}

const place = fc.nat(7);
const step = fc.oneof(
  fc.constant({ kind: 'start' as const }),
  fc.record({ kind: fc.constant('order' as const), places: fc.uniqueArray(place, { minLength: 1, maxLength: 4 }) }),
  fc.record({
    kind: fc.constant('change' as const),
    at: place,
    priority: fc.option(fc.constantFrom(...processPriority.internalCodes), { nil: undefined }),
    dueAt: fc.option(fc.constantFrom('2027-01-01T00:00:00.000Z', '2028-01-01T00:00:00.000Z', null), { nil: undefined }),
  }),
  fc.record({ kind: fc.constant('task' as const), at: place, task: fc.constantFrom(...TASKS) }),
  fc.record({ kind: fc.constant('cancel' as const), at: place }),
  fc.record({ kind: fc.constant('open' as const), at: place }),
  fc.record({ kind: fc.constant('delete' as const), at: place }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const order = (one: ListedProcess, other: ListedProcess): number =>
  processPriority.internalCodes.indexOf(other.priority) - processPriority.internalCodes.indexOf(one.priority) ||
  (one.dueAt ?? '9').localeCompare(other.dueAt ?? '9') ||
  one.position - other.position;

/** A history carried out twice: by the service, and on a list. */
class History {
  private readonly list: ListedProcess[] = [];

  constructor(
    private readonly bed: ServiceTestBed,
    private readonly scope: Scope,
  ) {}

  async prepare(): Promise<void> {
    const { bed, scope } = this;
    await bed.send(createGroupProcess, scope, { processCode: 'D', name: 'D' });
    for (const taskCode of TASKS)
      await bed.send(createGroupTask, scope, { processCode: 'D', taskCode, name: taskCode });
  }

  async take(next: Step): Promise<void> {
    if (next.kind === 'start') return this.start();
    if (next.kind === 'order') return this.order(next.places);
    const found = this.list.length === 0 ? undefined : this.list[next.at % this.list.length];
    if (found === undefined) return;
    if (next.kind === 'delete') return this.delete(found);
    if (next.kind === 'change') return this.change(found, next);
    if (next.kind === 'task') return this.finish(found, next.task);
    await this.become(found, next.kind === 'cancel' ? 'CANCELADO' : 'ABIERTO');
  }

  /** The list of the service, and what the list says of it. */
  async compared(): Promise<readonly [readonly object[], readonly object[]]> {
    const request = { mine: false, onlyOpen: false, limit: 200, page: 1 };
    const { processes } = await this.bed.send(listProcesses, this.scope, request);
    return [
      processes.map((each) => this.seen(each)),
      this.list.toSorted(order).map(({ code, priority, dueAt, status, done }) => ({
        ...{ code, priority, dueAt, status, isFinished: status === 'TERMINADO' },
        done: TASKS.filter((task) => done.has(task)),
      })),
    ];
  }

  private seen({ code, priority, dueAt, status, finishedAt, tasks }: Process): object {
    const done = tasks.filter((task) => task.status === 'HECHA').map((task) => task.code);
    return { code, priority, dueAt, status, isFinished: finishedAt !== null, done };
  }

  private async start(): Promise<void> {
    const { startedProcess } = await this.bed.send(updateGroupProcess, this.scope, { processCode: 'D', start: true });
    const position = Number((startedProcess ?? '').slice(1));
    this.list.push({
      ...{ code: startedProcess ?? '', priority: 'NORMAL', dueAt: null, position, status: 'ABIERTO' },
      done: new Set(),
    });
  }

  private async order(places: readonly number[]): Promise<void> {
    if (this.list.length === 0) return;
    const named = [...new Set(places.map((at) => this.list[at % this.list.length]))].filter(
      (each) => each !== undefined,
    );
    await this.bed.send(reorderProcesses, this.scope, { processCodes: named.map(({ code }) => code) });
    const slots = named.map(({ position }) => position).toSorted((one, other) => one - other);
    for (const [at, each] of named.entries()) each.position = slots[at] ?? each.position;
  }

  private async change(found: ListedProcess, { priority, dueAt }: Extract<Step, { kind: 'change' }>): Promise<void> {
    if (priority === undefined && dueAt === undefined) return;
    await this.bed.send(updateProcess, this.scope, {
      processCode: found.code,
      ...(priority === undefined ? {} : { priority }),
      ...(dueAt === undefined ? {} : { dueAt }),
    });
    Object.assign(found, { priority: priority ?? found.priority, dueAt: dueAt === undefined ? found.dueAt : dueAt });
  }

  private async finish(found: ListedProcess, task: (typeof TASKS)[number]): Promise<void> {
    const tasks = [{ code: task, status: 'HECHA' as const }];
    await this.bed.send(updateProcess, this.scope, { processCode: found.code, tasks });
    const isNew = !found.done.has(task);
    found.done.add(task);
    if (isNew && found.done.size === TASKS.length && found.status !== 'CANCELADO') found.status = 'TERMINADO';
  }

  private async become(found: ListedProcess, status: 'CANCELADO' | 'ABIERTO'): Promise<void> {
    const isRefused = found.status === 'TERMINADO' && status === 'CANCELADO';
    const changed = this.bed.send(updateProcess, this.scope, { processCode: found.code, status });
    if (isRefused) await expect(changed).rejects.toThrow('open it again first');
    else {
      await changed;
      found.status = status;
    }
  }

  private async delete(found: ListedProcess): Promise<void> {
    await this.bed.send(deleteProcess, this.scope, { processCode: found.code });
    this.list.splice(this.list.indexOf(found), 1);
  }

  get open(): number {
    return this.list.filter(({ status }) => !OVER.includes(status)).length;
  }
}

describe('histories of processes', () => {
  let bed: ServiceTestBed;
  beforeAll(async () => {
    bed = await openBed({ neighbours: { send: () => Promise.resolve({ codes: [] } as never) } as never });
  });
  afterAll(() => bed.close());

  it('any history leaves what a list has, in its order', async () => {
    const start = fc.constant({ kind: 'start' as const });
    const histories = fc.tuple(fc.array(start, { minLength: 2, maxLength: 4 }), fc.array(step, { maxLength: 14 }));
    await fc.assert(
      fc.asyncProperty(histories, async ([starts, steps]) => {
        const scope = administratorOf(randomUUID(), { userCode: 'admin@example.test' });
        const history = new History(bed, scope);
        await history.prepare();
        for (const each of [...starts, ...steps]) await history.take(each);
        const [served, expected] = await history.compared();
        expect(served).toEqual(expected);
        const open = { mine: true, onlyOpen: true, limit: 1, page: 1 };
        expect((await bed.send(listProcesses, scope, open)).total).toBe(history.open);
      }),
      { numRuns: 40 },
    );
  });
});
