import { randomUUID } from 'node:crypto';
import {
  type Call,
  createGroupProcess,
  createGroupTask,
  deleteGroupProcess,
  deleteGroupTask,
  deleteProcess,
  documentClassified,
  filterVisibleDocuments,
  findAssignee,
  Forbidden,
  getProcess,
  InvalidMeaning,
  listGroupProcesses,
  listGroupTasks,
  listProcesses,
  type NewGroupProcess,
  NotFound,
  previewGroupProcessDeletion,
  previewGroupTaskDeletion,
  previewProcessDeletion,
  type Process,
  type ProcessListRequest,
  type ProcessUpdate,
  processRequested,
  reorderGroupProcesses,
  reorderGroupTasks,
  reorderProcesses,
  showProcessDashboard,
  startProcess,
  updateGroupProcess,
  updateGroupTask,
  updateProcess,
  userDeletionStarted,
  userDependents,
} from '@acervo/contracts';
import { administratorOf, type ServiceTestBed } from '@acervo/platform-test-bed';
import type { Scope } from '@acervo/rbac';
import { nextMidnight } from '../src/processes/calendar';
import { Calendar, START_SCHEDULED } from '../src/processes/schedule.stage';
import { ProcessConflict, ProcessRefused } from '../src/processes/processes.errors';
import { openBed } from './bed';

/** Auth and retrieval: people by address, and documents that everybody sees. */
class Neighbours {
  readonly people = new Map<string, { readonly userId: string; readonly code: string }>();
  readonly documents = new Set<string>();

  person(code: string): { readonly userId: string; readonly code: string } {
    const person = { userId: randomUUID(), code };
    this.people.set(code, person);
    return person;
  }

  send({ code }: Call, _scope: unknown, input: object): Promise<never> {
    if (code === filterVisibleDocuments.code) {
      const { codes } = input as { readonly codes: readonly string[] };
      return Promise.resolve({ codes: codes.filter((each) => this.documents.has(each)) } as never);
    }
    if (code !== findAssignee.code) return Promise.resolve({} as never);
    const person = this.people.get((input as { readonly code: string }).code);
    return person === undefined ? Promise.reject(new NotFound()) : Promise.resolve(person as never);
  }
}

const LIST: ProcessListRequest = { mine: false, onlyOpen: false, limit: 20, page: 1 };

const neighbours = new Neighbours();
const ana = neighbours.person('ana@example.test');
const luis = neighbours.person('luis@example.test');
let bed: ServiceTestBed;
let groupId: string;
let administrator: Scope;

const userOf = ({ userId, code }: typeof ana, over: Parameters<typeof administratorOf>[1] = {}): Scope =>
  administratorOf(groupId, { ...{ userId, userCode: code, profile: 'USUARIO', entities: ['E1'] }, ...over });

beforeAll(async () => {
  bed = await openBed({ neighbours: neighbours as never });
});
afterAll(() => bed.close());
beforeEach(() => {
  groupId = randomUUID();
  administrator = administratorOf(groupId, { userId: randomUUID(), userCode: 'admin@example.test' });
});

const define = (processCode: string, over: Partial<NewGroupProcess> = {}) =>
  bed.send(createGroupProcess, administrator, { processCode, name: `Name of ${processCode}`, ...over });
const addTask = (processCode: string, taskCode: string, over: object = {}) =>
  bed.send(createGroupTask, administrator, { processCode, taskCode, name: taskCode, ...over });
const start = async (processCode: string): Promise<string> => {
  const { startedProcess } = await bed.send(updateGroupProcess, administrator, { processCode, start: true });
  return startedProcess ?? '';
};
const change = (scope: Scope, processCode: string, over: Omit<ProcessUpdate, 'processCode'>): Promise<Process> =>
  bed.send(updateProcess, scope, { processCode, ...over });
const show = (scope: Scope, processCode: string): Promise<Process> => bed.send(getProcess, scope, { processCode });
const codesOf = async (scope: Scope, over: Partial<ProcessListRequest> = {}): Promise<readonly string[]> =>
  (await bed.send(listProcesses, scope, { ...LIST, ...over })).processes.map(({ code }) => code);
const classified = (over: object = {}, eventId?: string) =>
  bed.deliver(
    documentClassified,
    groupId,
    { documentId: randomUUID(), code: 'D1', entityCode: 'E1', typeCodes: ['CONTRACT', 'LEASE'], ...over },
    eventId,
  );

describe('a definition', () => {
  it('it is created, changed with a new version, listed and ordered', async () => {
    expect(await define('RENEW', { category: 'contracts', defaultAssignee: ana.code, dueDays: 5 })).toMatchObject({
      ...{ processCode: 'RENEW', position: 1, version: 1, priority: 'NORMAL', trigger: 'A_MANO' },
      ...{ category: 'contracts', defaultAssignee: ana.code, dueDays: 5, taskCount: 0, openProcesses: 0 },
    });
    await define('AUDIT');
    await define('CLOSE');
    expect(
      await bed.send(updateGroupProcess, administrator, { processCode: 'RENEW', category: null, priority: 'ALTA' }),
    ).toMatchObject({ version: 2, category: null, priority: 'ALTA', dueDays: 5, startedProcess: null });
    const { processes } = await bed.send(reorderGroupProcesses, administrator, { processCodes: ['CLOSE', 'RENEW'] });
    expect(processes.map(({ processCode }) => processCode)).toEqual(['CLOSE', 'AUDIT', 'RENEW']);
    const found = await bed.send(listGroupProcesses, administrator, { query: 'name of au' });
    expect(found.processes.map(({ processCode }) => processCode)).toEqual(['AUDIT']);
  });
  it('a taken code, an unknown person and a change of nothing are refused', async () => {
    await define('RENEW');
    await expect(define('RENEW')).rejects.toThrow(ProcessConflict);
    await expect(define('OTHER', { defaultAssignee: 'nobody@example.test' })).rejects.toThrow(NotFound);
    await expect(bed.send(updateGroupProcess, administrator, { processCode: 'RENEW' })).rejects.toThrow(InvalidMeaning);
    await expect(bed.send(updateGroupProcess, administrator, { processCode: 'NONE', start: true })).rejects.toThrow(
      NotFound,
    );
  });
  it('one of another group is not found', async () => {
    await define('RENEW');
    const foreign = administratorOf(randomUUID());
    expect((await bed.send(listGroupProcesses, foreign, {})).processes).toEqual([]);
    for (const send of [
      () => bed.send(updateGroupProcess, foreign, { processCode: 'RENEW', name: 'x' }),
      () => bed.send(deleteGroupProcess, foreign, { processCode: 'RENEW' }),
      () => bed.send(listGroupTasks, foreign, { processCode: 'RENEW' }),
      () => bed.send(reorderGroupProcesses, foreign, { processCodes: ['RENEW'] }),
    ])
      await expect(send()).rejects.toThrow(NotFound);
  });
  it('its deletion takes its tasks, keeps its processes, and is counted before', async () => {
    await define('RENEW');
    await addTask('RENEW', 'SIGN');
    const code = await start('RENEW');
    expect(await bed.send(previewGroupProcessDeletion, administrator, { processCode: 'RENEW' })).toEqual({
      ...{ processCode: 'RENEW', tasks: 1, processes: 1 },
    });
    await bed.send(deleteGroupProcess, administrator, { processCode: 'RENEW' });
    expect((await bed.send(listGroupProcesses, administrator, {})).processes).toEqual([]);
    expect((await show(administrator, code)).tasks.map((task) => task.code)).toEqual(['SIGN']);
  });
});

describe('the tasks of a definition', () => {
  it('they are added at the end, changed, ordered and deleted; each is a new version', async () => {
    await define('RENEW');
    for (const code of ['READ', 'SIGN', 'FILE']) await addTask('RENEW', code);
    await bed.send(updateGroupTask, administrator, {
      processCode: 'RENEW',
      taskCode: 'SIGN',
      assignee: ana.code,
      days: 2,
    });
    const { tasks } = await bed.send(reorderGroupTasks, administrator, {
      ...{ processCode: 'RENEW', taskCodes: ['FILE', 'READ'] },
    });
    expect(tasks.map(({ taskCode, assignee, days }) => [taskCode, assignee, days])).toEqual([
      ['FILE', null, null],
      ['SIGN', ana.code, 2],
      ['READ', null, null],
    ]);
    const reference = { processCode: 'RENEW', taskCode: 'FILE' };
    await start('RENEW');
    expect(await bed.send(previewGroupTaskDeletion, administrator, reference)).toEqual({
      ...reference,
      pendingProcesses: 1,
    });
    await bed.send(deleteGroupTask, administrator, reference);
    const [definition] = (await bed.send(listGroupProcesses, administrator, {})).processes;
    expect(definition).toMatchObject({ version: 7, taskCount: 2, openProcesses: 1 });
  });
});

describe('a process', () => {
  it('it begins with the tasks of its definition and keeps them', async () => {
    await define('RENEW', { description: 'Each year.', priority: 'URGENTE', defaultAssignee: luis.code, dueDays: 30 });
    await addTask('RENEW', 'READ', { assignee: ana.code, days: 2 });
    await addTask('RENEW', 'SIGN');
    const code = await start('RENEW');
    await bed.send(deleteGroupTask, administrator, { processCode: 'RENEW', taskCode: 'SIGN' });
    const process = await show(administrator, code);
    expect(process).toMatchObject({
      ...{ code: 'P1', name: 'Name of RENEW', description: 'Each year.', processType: 'GRUPO', priority: 'URGENTE' },
      ...{ status: 'ABIERTO', createdBy: 'admin@example.test', assignedTo: ana.code, finishedAt: null, cost: null },
      tasks: [
        { code: 'READ', status: 'PENDIENTE', assignee: ana.code },
        { code: 'SIGN', status: 'PENDIENTE', assignee: null },
      ],
    });
    const days = (Date.parse(process.dueAt ?? '') - Date.parse(process.createdAt)) / 86_400_000;
    expect(days).toBeCloseTo(2, 2);
  });
  it('its tasks move it on, and the last one finishes it', async () => {
    await define('RENEW', { defaultAssignee: luis.code });
    await addTask('RENEW', 'READ');
    await addTask('RENEW', 'SIGN', { assignee: ana.code, days: 1 });
    const code = await start('RENEW');
    const read = await change(administrator, code, { tasks: [{ code: 'READ', status: 'HECHA' }] });
    expect(read).toMatchObject({ assignedTo: ana.code, status: 'ABIERTO', finishedAt: null });
    expect(read.dueAt).not.toBeNull();
    const done = await change(userOf(ana), code, { tasks: [{ code: 'SIGN', status: 'OMITIDA' }], cost: 12.34 });
    expect(done).toMatchObject({ status: 'TERMINADO', cost: 12.34 });
    expect(done.finishedAt).not.toBeNull();
    await expect(change(administrator, code, { tasks: [{ code: 'NONE', status: 'HECHA' }] })).rejects.toThrow(NotFound);
  });
  it('only what is sent is written, null clears, and nothing sent is refused', async () => {
    await define('RENEW', { defaultAssignee: ana.code, dueDays: 3 });
    const code = await start('RENEW');
    await change(administrator, code, { comments: 'Llamar.', cost: 5, priority: 'ALTA' });
    const cleared = { assignedTo: null, dueAt: null, cost: null, comments: null, finishedAt: null };
    expect(await change(administrator, code, cleared)).toMatchObject({
      ...cleared,
      priority: 'ALTA',
      status: 'ABIERTO',
    });
    await expect(change(administrator, code, {})).rejects.toThrow(InvalidMeaning);
    await expect(change(administrator, code, { cost: 0.001 })).rejects.toThrow(ProcessRefused);
    await expect(change(administrator, code, { assignedTo: 'nobody@example.test' })).rejects.toThrow(NotFound);
  });
  it('two writers of different fields lose none', async () => {
    await define('RENEW');
    const code = await start('RENEW');
    const written: readonly Omit<ProcessUpdate, 'processCode'>[] = [
      { name: 'Other' },
      { comments: 'Seen.' },
      { cost: 1.5 },
      { priority: 'BAJA' },
      { assignedTo: ana.code },
      { dueAt: '2027-01-01T00:00:00Z' },
    ];
    await Promise.all(written.map((over) => change(administrator, code, over)));
    expect(await show(administrator, code)).toMatchObject({
      ...{ name: 'Other', comments: 'Seen.', cost: 1.5, priority: 'BAJA', assignedTo: ana.code },
      dueAt: '2027-01-01T00:00:00.000Z',
    });
  });
  it('it is seen by who started it, who works on it, and administrators; by no other user', async () => {
    await define('RENEW', { defaultAssignee: ana.code });
    const code = await start('RENEW');
    const focused = administratorOf(groupId, { userId: randomUUID(), isFixed: true, entities: ['E1'] });
    const readers = [administrator, userOf(ana), administratorOf(groupId, { userId: randomUUID() })];
    const others = [userOf(luis), focused, administratorOf(randomUUID(), { userId: ana.userId })];
    for (const scope of readers) expect(await codesOf(scope)).toEqual([code]);
    for (const scope of others) {
      expect(await codesOf(scope)).toEqual([]);
      await expect(show(scope, code)).rejects.toThrow(NotFound);
      await expect(change(scope, code, { name: 'x' })).rejects.toThrow(NotFound);
      await expect(bed.send(deleteProcess, scope, { processCode: code })).rejects.toThrow(NotFound);
      await expect(bed.send(reorderProcesses, scope, { processCodes: [code] })).rejects.toThrow(NotFound);
    }
  });
  it('one of an entity is seen within it alone', async () => {
    await define('LEASES', { trigger: 'DOCUMENTO_CLASIFICADO', documentTypeCode: 'LEASE', defaultAssignee: ana.code });
    await classified();
    expect(await codesOf(userOf(ana))).toHaveLength(1);
    expect(await codesOf(userOf(ana, { entities: ['E2'] }))).toEqual([]);
    expect(await codesOf(administratorOf(groupId, { isFixed: true, entities: ['E1'] }))).toHaveLength(1);
    expect(await codesOf(administratorOf(groupId, { isFixed: true, entities: ['E2'] }))).toEqual([]);
  });
  it('who works on it may not delete it; its deletion is counted before', async () => {
    await define('RENEW', { defaultAssignee: ana.code });
    await addTask('RENEW', 'SIGN');
    const processCode = await start('RENEW');
    await expect(bed.send(deleteProcess, userOf(ana), { processCode })).rejects.toThrow(Forbidden);
    await expect(bed.send(previewProcessDeletion, userOf(ana), { processCode })).rejects.toThrow(Forbidden);
    expect(await bed.send(previewProcessDeletion, administrator, { processCode })).toEqual({
      ...{ processCode, tasks: 1, documents: 0 },
    });
    await bed.send(deleteProcess, administrator, { processCode });
    await expect(show(administrator, processCode)).rejects.toThrow(NotFound);
  });
});

describe('lists of processes', () => {
  it('the most urgent come first, of these the first due, then in their order', async () => {
    await define('A');
    const codes = [await start('A'), await start('A'), await start('A'), await start('A'), await start('A')];
    const [first = '', second = '', third = '', fourth = '', fifth = ''] = codes;
    await change(administrator, fourth, { priority: 'URGENTE' });
    await change(administrator, fifth, { dueAt: '2027-01-01T00:00:00Z' });
    expect(await codesOf(administrator)).toEqual([fourth, fifth, first, second, third]);
    await bed.send(reorderProcesses, administrator, { processCodes: [third, first] });
    expect(await codesOf(administrator)).toEqual([fourth, fifth, third, second, first]);
    expect(await codesOf(administrator, { limit: 2, page: 2 })).toEqual([third, second]);
    expect((await bed.send(listProcesses, administrator, { ...LIST, limit: 1 })).total).toBe(5);
  });
  it('filters keep what they name', async () => {
    await define('A', { category: 'one', defaultAssignee: ana.code });
    await define('B', { category: 'two' });
    const [a, b] = [await start('A'), await start('B')];
    await change(administrator, b, { status: 'CANCELADO' });
    const request = {
      processType: 'SOPORTE',
      subject: 'S1',
      name: 'Ayuda',
      description: '',
      priority: 'NORMAL',
    } as const;
    await bed.deliver(processRequested, groupId, { ...request, code: 'S1', userId: luis.userId, userCode: luis.code });
    expect(await codesOf(administrator, { category: 'one' })).toEqual([a]);
    expect(await codesOf(administrator, { status: 'CANCELADO' })).toEqual([b]);
    expect(await codesOf(administrator, { processType: 'SOPORTE' })).toEqual(['S1']);
    expect(await codesOf(administrator, { onlyOpen: true })).toEqual([a, 'S1']);
    expect(await codesOf(administrator, { mine: true })).toEqual([a, b]);
    expect(await codesOf(userOf(ana), { mine: true })).toEqual([a]);
    expect(await codesOf(userOf(luis))).toEqual(['S1']);
  });
  it('the dashboard counts the work of the caller alone', async () => {
    await define('A', { defaultAssignee: ana.code });
    const codes = [await start('A'), await start('A'), await start('A')];
    await change(administrator, codes[0] ?? '', { dueAt: '2020-01-01T00:00:00Z', status: 'EN_CURSO' });
    await change(administrator, codes[1] ?? '', { dueAt: '2120-01-01T00:00:00Z' });
    await change(administrator, codes[2] ?? '', { status: 'TERMINADO', dueAt: '2020-01-01T00:00:00Z' });
    expect(await bed.send(showProcessDashboard, userOf(ana), {})).toEqual({
      byStatus: [
        { status: 'ABIERTO', count: 1 },
        { status: 'EN_CURSO', count: 1 },
        { status: 'EN_ESPERA', count: 0 },
        { status: 'TERMINADO', count: 1 },
        { status: 'CANCELADO', count: 0 },
      ],
      ...{ due: 1, overdue: 1, assigned: 2 },
    });
    const ofAnother = await bed.send(showProcessDashboard, userOf(luis), {});
    expect(ofAnother.byStatus.every(({ count }) => count === 0)).toBe(true);
  });
});

describe('what starts a process', () => {
  it('a document of a type, or of one below it, starts each definition once, also when it is said again', async () => {
    await define('CONTRACTS', { trigger: 'DOCUMENTO_CLASIFICADO', documentTypeCode: 'CONTRACT' });
    await define('LEASES', { trigger: 'DOCUMENTO_CLASIFICADO', documentTypeCode: 'LEASE' });
    await define('SALES', { trigger: 'DOCUMENTO_CLASIFICADO', documentTypeCode: 'SALE' });
    const documentId = randomUUID();
    for (let time = 0; time < 3; time += 1) await classified({ documentId });
    await classified();
    expect((await codesOf(administrator)).length).toBe(4);
    neighbours.documents.add('D1');
    const [seen] = (await bed.send(listProcesses, administrator, LIST)).processes;
    neighbours.documents.clear();
    const [hidden] = (await bed.send(listProcesses, administrator, LIST)).processes;
    expect([seen?.documentCode, seen?.entityCode, seen?.createdBy]).toEqual(['D1', 'E1', null]);
    expect(hidden?.documentCode).toBeNull();
  });
  it('a definition of a trigger is not started by hand, and one by hand is started by an agent', async () => {
    await define('LEASES', { trigger: 'DOCUMENTO_CLASIFICADO', documentTypeCode: 'LEASE' });
    await define('RENEW');
    await expect(start('LEASES')).rejects.toThrow(ProcessRefused);
    await expect(bed.send(startProcess, userOf(ana), { processCode: 'LEASES' })).rejects.toThrow(ProcessRefused);
    neighbours.documents.add('D7');
    const started = await bed.send(startProcess, userOf(ana), { processCode: 'RENEW', documentCode: 'D7' });
    neighbours.documents.clear();
    expect(started).toMatchObject({ createdBy: ana.code, documentCode: 'D7' });
    const unseen = { processCode: 'RENEW', documentCode: 'D8' };
    await expect(bed.send(startProcess, userOf(ana), unseen)).rejects.toThrow(NotFound);
  });
  it('the calendar starts one process a period, however often it is looked at', async () => {
    const calendar = jest.spyOn(bed.get(Calendar), 'now');
    await define('DAILY', { trigger: 'CALENDARIO', period: 'DIA' });
    await define('MONTHLY', { trigger: 'CALENDARIO', period: 'MES' });
    const look = async (at: Date): Promise<number> => {
      calendar.mockReturnValue(at);
      await bed.database.write(administrator, (tx) => tx.query('update operations.task set not_before = now()'));
      expect(await bed.runBatch(groupId, START_SCHEDULED.name)).toBe(1);
      return (await codesOf(administrator)).length;
    };
    const today = new Date();
    const month = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 1));
    expect(await look(today)).toBe(0);
    expect([await look(month), await look(month)]).toEqual([2, 2]);
    expect(await look(nextMidnight(month))).toBe(3);
    calendar.mockRestore();
  });
  it('a request of a service starts one process for its subject', async () => {
    const request = {
      processType: 'INGESTA',
      subject: 'run:7',
      name: 'Revisar',
      description: 'x',
      priority: 'ALTA',
    } as const;
    for (let time = 0; time < 2; time += 1) await bed.deliver(processRequested, groupId, request);
    const { processes } = await bed.send(listProcesses, administrator, LIST);
    expect(processes.map(({ name, processType, createdBy, tasks }) => [name, processType, createdBy, tasks])).toEqual([
      ['Revisar', 'INGESTA', null, []],
    ]);
  });
});

describe('the processes of a deleted user', () => {
  it('those that the user started go, the others go to the administrators; both are counted before', async () => {
    await define('RENEW', { defaultAssignee: ana.code });
    await addTask('RENEW', 'READ', { assignee: ana.code });
    const assigned = await start('RENEW');
    await bed.send(startProcess, userOf(ana), { processCode: 'RENEW' });
    const { dependencies } = await bed.send(userDependents.operations, administrator, ana);
    expect(dependencies.filter(({ kind }) => kind.startsWith('procesos'))).toEqual([
      { kind: 'procesos', count: 1 },
      { kind: 'procesos_asignados', count: 1 },
    ]);
    await bed.deliver(userDeletionStarted, groupId, ana);
    expect(await codesOf(administrator)).toEqual([assigned]);
    const left = await show(administrator, assigned);
    expect([left.assignedTo, left.tasks[0]?.assignee]).toEqual([null, null]);
    const [definition] = (await bed.send(listGroupProcesses, administrator, {})).processes;
    expect(definition?.defaultAssignee).toBeNull();
  });
});
