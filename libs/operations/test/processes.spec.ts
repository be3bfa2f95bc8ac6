import { randomUUID } from 'node:crypto';
import {
  deleteGroupProcess,
  deleteGroupTask,
  deleteProcess,
  Forbidden,
  InvalidMeaning,
  listGroupProcesses,
  listProcesses,
  NotFound,
  previewProcessDeletion,
  processRequested,
  reorderProcesses,
  showProcessDashboard,
  startProcess,
  userDeletionStarted,
  type ProcessUpdate,
  userDependents,
} from '@acervo/contracts';
import { administratorOf } from '@acervo/platform-test-bed';
import { nextMidnight } from '../src/processes/calendar';
import { ProcessStore } from '../src/processes/process.store';
import { ProcessConflict, ProcessRefused } from '../src/processes/processes.errors';
import { CHECK_ASSIGNEES } from '../src/processes/assignee-check.stage';
import { Calendar, START_SCHEDULED } from '../src/processes/schedule.stage';
import { LIST, ProcessTrial } from './process-trial';

let trial: ProcessTrial;
beforeAll(async () => {
  trial = await ProcessTrial.open();
});
afterAll(() => trial.close());
beforeEach(() => {
  trial = trial.next();
});

describe('a process', () => {
  it('it begins with the tasks of its definition and keeps them', async () => {
    await trial.define('RENEW', {
      description: 'Each year.',
      priority: 'URGENTE',
      defaultAssignee: trial.luis.code,
      dueDays: 30,
    });
    await trial.addTask('RENEW', 'READ', { assignee: trial.ana.code, days: 2 });
    await trial.addTask('RENEW', 'SIGN');
    const code = await trial.start('RENEW');
    await trial.bed.send(deleteGroupTask, trial.administrator, { processCode: 'RENEW', taskCode: 'SIGN' });
    const process = await trial.show(trial.administrator, code);
    expect(process).toMatchObject({
      ...{ code: 'P1', name: 'Name of RENEW', description: 'Each year.', processType: 'GRUPO', priority: 'URGENTE' },
      ...{
        status: 'ABIERTO',
        createdBy: 'admin@example.test',
        assignedTo: trial.ana.code,
        finishedAt: null,
        cost: null,
      },
      tasks: [
        { code: 'READ', status: 'PENDIENTE', assignee: trial.ana.code },
        { code: 'SIGN', status: 'PENDIENTE', assignee: null },
      ],
    });
    const days = (Date.parse(process.dueAt ?? '') - Date.parse(process.createdAt)) / 86_400_000;
    expect(days).toBeCloseTo(2, 2);
  });
  it('its tasks move it on, and the last one finishes it', async () => {
    await trial.define('RENEW', { defaultAssignee: trial.luis.code });
    await trial.addTask('RENEW', 'READ');
    await trial.addTask('RENEW', 'SIGN', { assignee: trial.ana.code, days: 1 });
    const code = await trial.start('RENEW');
    const read = await trial.change(trial.administrator, code, { tasks: [{ code: 'READ', status: 'HECHA' }] });
    expect(read).toMatchObject({ assignedTo: trial.ana.code, status: 'ABIERTO', finishedAt: null });
    expect(read.dueAt).not.toBeNull();
    const done = await trial.change(trial.userOf(trial.ana), code, {
      tasks: [{ code: 'SIGN', status: 'OMITIDA' }],
      cost: 12.34,
    });
    expect(done).toMatchObject({ status: 'TERMINADO', cost: 12.34 });
    expect(done.finishedAt).not.toBeNull();
    await expect(
      trial.change(trial.administrator, code, { tasks: [{ code: 'NONE', status: 'HECHA' }] }),
    ).rejects.toThrow(NotFound);
  });
  it('only what is sent is written, null clears, and nothing sent is refused', async () => {
    await trial.define('RENEW', { defaultAssignee: trial.ana.code, dueDays: 3 });
    const code = await trial.start('RENEW');
    await trial.change(trial.administrator, code, { comments: 'Llamar.', cost: 5, priority: 'ALTA' });
    const cleared = { assignedTo: null, dueAt: null, cost: null, comments: null, finishedAt: null };
    expect(await trial.change(trial.administrator, code, cleared)).toMatchObject({
      ...cleared,
      priority: 'ALTA',
      status: 'ABIERTO',
    });
    await expect(trial.change(trial.administrator, code, {})).rejects.toThrow(InvalidMeaning);
    await expect(trial.change(trial.administrator, code, { cost: 0.001 })).rejects.toThrow(ProcessRefused);
    await expect(trial.change(trial.administrator, code, { assignedTo: 'unknown@example.test' })).rejects.toThrow(
      NotFound,
    );
  });
  it('two writers of different fields lose none', async () => {
    await trial.define('RENEW');
    const code = await trial.start('RENEW');
    const written: readonly Omit<ProcessUpdate, 'processCode'>[] = [
      { name: 'Other' },
      { comments: 'Seen.' },
      { cost: 1.5 },
      { priority: 'BAJA' },
      { assignedTo: trial.ana.code },
      { dueAt: '2027-01-01T00:00:00Z' },
    ];
    await Promise.all(written.map((over) => trial.change(trial.administrator, code, over)));
    expect(await trial.show(trial.administrator, code)).toMatchObject({
      ...{ name: 'Other', comments: 'Seen.', cost: 1.5, priority: 'BAJA', assignedTo: trial.ana.code },
      dueAt: '2027-01-01T00:00:00.000Z',
    });
  });
  it('it is seen by who started it, who works on it, and administrators; by no other user', async () => {
    await trial.define('RENEW', { defaultAssignee: trial.ana.code });
    const code = await trial.start('RENEW');
    const focused = administratorOf(trial.groupId, { userId: randomUUID(), isFixed: true, entities: ['E1'] });
    const readers = [
      trial.administrator,
      trial.userOf(trial.ana),
      administratorOf(trial.groupId, { userId: randomUUID() }),
    ];
    const others = [trial.userOf(trial.luis), focused, administratorOf(randomUUID(), { userId: trial.ana.userId })];
    for (const scope of readers) expect(await trial.codesOf(scope)).toEqual([code]);
    for (const scope of others) {
      expect(await trial.codesOf(scope)).toEqual([]);
      await expect(trial.show(scope, code)).rejects.toThrow(NotFound);
      await expect(trial.change(scope, code, { name: 'x' })).rejects.toThrow(NotFound);
      await expect(trial.bed.send(deleteProcess, scope, { processCode: code })).rejects.toThrow(NotFound);
      await expect(trial.bed.send(reorderProcesses, scope, { processCodes: [code] })).rejects.toThrow(NotFound);
    }
  });
  it('one of an entity is seen within it alone', async () => {
    await trial.define('LEASES', {
      trigger: 'DOCUMENTO_CLASIFICADO',
      documentTypeCode: 'LEASE',
      defaultAssignee: trial.ana.code,
    });
    await trial.classified();
    expect(await trial.codesOf(trial.userOf(trial.ana))).toHaveLength(1);
    expect(await trial.codesOf(trial.userOf(trial.ana, { entities: ['E2'] }))).toEqual([]);
    expect(await trial.codesOf(administratorOf(trial.groupId, { isFixed: true, entities: ['E1'] }))).toHaveLength(1);
    expect(await trial.codesOf(administratorOf(trial.groupId, { isFixed: true, entities: ['E2'] }))).toEqual([]);
  });
  it('who works on it may not delete it; its deletion is counted before', async () => {
    await trial.define('RENEW', { defaultAssignee: trial.ana.code });
    await trial.addTask('RENEW', 'SIGN');
    const processCode = await trial.start('RENEW');
    await expect(trial.bed.send(deleteProcess, trial.userOf(trial.ana), { processCode })).rejects.toThrow(Forbidden);
    await expect(trial.bed.send(previewProcessDeletion, trial.userOf(trial.ana), { processCode })).rejects.toThrow(
      Forbidden,
    );
    expect(await trial.bed.send(previewProcessDeletion, trial.administrator, { processCode })).toEqual({
      ...{ processCode, tasks: 1, documents: 0 },
    });
    await trial.bed.send(deleteProcess, trial.administrator, { processCode });
    await expect(trial.show(trial.administrator, processCode)).rejects.toThrow(NotFound);
  });
});

describe('lists of processes', () => {
  it('the most urgent come first, of these the first due, then in their order', async () => {
    await trial.define('A');
    const codes = [
      await trial.start('A'),
      await trial.start('A'),
      await trial.start('A'),
      await trial.start('A'),
      await trial.start('A'),
    ];
    const [first = '', second = '', third = '', fourth = '', fifth = ''] = codes;
    await trial.change(trial.administrator, fourth, { priority: 'URGENTE' });
    await trial.change(trial.administrator, fifth, { dueAt: '2027-01-01T00:00:00Z' });
    expect(await trial.codesOf(trial.administrator)).toEqual([fourth, fifth, first, second, third]);
    await trial.bed.send(reorderProcesses, trial.administrator, { processCodes: [third, first] });
    expect(await trial.codesOf(trial.administrator)).toEqual([fourth, fifth, third, second, first]);
    expect(await trial.codesOf(trial.administrator, { limit: 2, page: 2 })).toEqual([third, second]);
    expect((await trial.bed.send(listProcesses, trial.administrator, { ...LIST, limit: 1 })).total).toBe(5);
  });
  it('filters keep what they name', async () => {
    await trial.define('A', { category: 'one', defaultAssignee: trial.ana.code });
    await trial.define('B', { category: 'two' });
    const [a, b] = [await trial.start('A'), await trial.start('B')];
    await trial.change(trial.administrator, b, { status: 'CANCELADO' });
    const request = {
      processType: 'SOPORTE',
      subject: 'S1',
      name: 'Ayuda',
      description: '',
      priority: 'NORMAL',
    } as const;
    await trial.bed.deliver(processRequested, trial.groupId, {
      ...request,
      code: 'S1',
      userId: trial.luis.userId,
      userCode: trial.luis.code,
    });
    expect(await trial.codesOf(trial.administrator, { category: 'one' })).toEqual([a]);
    expect(await trial.codesOf(trial.administrator, { status: 'CANCELADO' })).toEqual([b]);
    expect(await trial.codesOf(trial.administrator, { processType: 'SOPORTE' })).toEqual(['S1']);
    expect(await trial.codesOf(trial.administrator, { onlyOpen: true })).toEqual([a, 'S1']);
    expect(await trial.codesOf(trial.administrator, { mine: true })).toEqual([a, b]);
    expect(await trial.codesOf(trial.userOf(trial.ana), { mine: true })).toEqual([a]);
    expect(await trial.codesOf(trial.userOf(trial.luis))).toEqual(['S1']);
  });
  it('the dashboard counts the work of the caller alone', async () => {
    await trial.define('A', { defaultAssignee: trial.ana.code });
    const codes = [await trial.start('A'), await trial.start('A'), await trial.start('A')];
    await trial.change(trial.administrator, codes[0] ?? '', { dueAt: '2020-01-01T00:00:00Z', status: 'EN_CURSO' });
    await trial.change(trial.administrator, codes[1] ?? '', { dueAt: '2120-01-01T00:00:00Z' });
    await trial.change(trial.administrator, codes[2] ?? '', { status: 'TERMINADO', dueAt: '2020-01-01T00:00:00Z' });
    expect(await trial.bed.send(showProcessDashboard, trial.userOf(trial.ana), {})).toEqual({
      byStatus: [
        { status: 'ABIERTO', count: 1 },
        { status: 'EN_CURSO', count: 1 },
        { status: 'EN_ESPERA', count: 0 },
        { status: 'TERMINADO', count: 1 },
        { status: 'CANCELADO', count: 0 },
      ],
      ...{ due: 1, overdue: 1, assigned: 2 },
    });
    const ofAnother = await trial.bed.send(showProcessDashboard, trial.userOf(trial.luis), {});
    expect(ofAnother.byStatus.every(({ count }) => count === 0)).toBe(true);
  });
});

describe('what starts a process', () => {
  /** Tasks that check people, those that are done included. */
  const checks = async (): Promise<number> => {
    const ofStage = 'select from operations.task where group_id = $1 and stage = $2';
    const rows = await trial.bed.database.read(trial, (tx) => tx.query(ofStage, [tx.groupId, CHECK_ASSIGNEES.name]));
    return rows.length;
  };

  it('people without reach to the entity of its document lose it, others keep it', async () => {
    const { neighbours, ana, luis, administrator } = trial;
    neighbours.withoutEntities.add(ana.code);
    await trial.define('LEASES', { trigger: 'DOCUMENTO_CLASIFICADO', documentTypeCode: 'LEASE' });
    await trial.addTask('LEASES', 'READ', { assignee: ana.code });
    await trial.addTask('LEASES', 'SIGN', { assignee: luis.code });
    await trial.classified();
    expect(await trial.bed.runBatch(trial.groupId, CHECK_ASSIGNEES.name)).toBe(1);
    neighbours.withoutEntities.clear();
    expect(await trial.list(administrator)).toMatchObject([
      { assignedTo: null, tasks: [{ assignee: null }, { assignee: luis.code }] },
    ]);
    expect(await checks()).toBe(0);
  });
  it('people of several processes are asked about once, none where none is named', async () => {
    const { neighbours, ana } = trial;
    await trial.define('LEASES', { trigger: 'DOCUMENTO_CLASIFICADO', documentTypeCode: 'LEASE' });
    await trial.classified();
    expect(await checks()).toBe(0);
    await trial.addTask('LEASES', 'READ');
    await trial.addTask('LEASES', 'SIGN', { assignee: ana.code });
    for (let time = 0; time < 3; time += 1) await trial.classified();
    neighbours.reachesAsked = 0;
    expect(await trial.bed.runBatch(trial.groupId, CHECK_ASSIGNEES.name)).toBe(3);
    expect(neighbours.reachesAsked).toBe(1);
  });
  it('what was deleted starts no second time for its document or period', async () => {
    await trial.define('LEASES', { trigger: 'DOCUMENTO_CLASIFICADO', documentTypeCode: 'LEASE' });
    const document = { documentId: randomUUID() };
    await trial.classified(document);
    const [processCode = ''] = await trial.codesOf(trial.administrator);
    await trial.bed.send(deleteProcess, trial.administrator, { processCode });
    await trial.classified(document);
    expect(await trial.codesOf(trial.administrator)).toEqual([]);
    await trial.classified();
    expect(await trial.codesOf(trial.administrator)).toHaveLength(1);
  });
  it('a new definition under the code of a deleted one starts again', async () => {
    const definition = { trigger: 'DOCUMENTO_CLASIFICADO', documentTypeCode: 'LEASE' } as const;
    const documents = [{ documentId: randomUUID() }, { documentId: randomUUID() }] as const;
    const deleteOne = async (): Promise<void> => {
      const [processCode = ''] = await trial.codesOf(trial.administrator);
      await trial.bed.send(deleteProcess, trial.administrator, { processCode });
    };
    await trial.define('LEASES', definition);
    for (const document of documents) await trial.classified(document);
    await deleteOne();
    await trial.bed.send(deleteGroupProcess, trial.administrator, { processCode: 'LEASES' });
    await deleteOne();
    await trial.define('LEASES', definition);
    for (const document of documents) await trial.classified(document);
    expect(await trial.codesOf(trial.administrator)).toHaveLength(2);
  });
  it('a deleted definition leaves what one of a longer code started', async () => {
    const document = { documentId: randomUUID() };
    for (const code of ['LEASES', 'LEASES:PARIS'])
      await trial.define(code, { trigger: 'DOCUMENTO_CLASIFICADO', documentTypeCode: 'LEASE' });
    await trial.classified(document);
    for (const processCode of await trial.codesOf(trial.administrator))
      await trial.bed.send(deleteProcess, trial.administrator, { processCode });
    await trial.bed.send(deleteGroupProcess, trial.administrator, { processCode: 'LEASES' });
    await trial.classified(document);
    expect(await trial.codesOf(trial.administrator)).toEqual([]);
  });
  it('what is gone after its retention starts no second time', async () => {
    await trial.define('LEASES', { trigger: 'DOCUMENTO_CLASIFICADO', documentTypeCode: 'LEASE' });
    const document = { documentId: randomUUID() };
    await trial.classified(document);
    const [code = ''] = await trial.codesOf(trial.administrator);
    await trial.change(trial.administrator, code, { status: 'CANCELADO' });
    const { database } = trial.bed;
    const deleted = await database.write(trial, (tx) => trial.bed.get(ProcessStore).deleteOver(tx, 0, 10));
    await trial.classified(document);
    expect([deleted, await trial.codesOf(trial.administrator)]).toEqual([1, []]);
  });
  it('a document of a type, or of one below it, starts each definition once, also when it is said again', async () => {
    await trial.define('CONTRACTS', { trigger: 'DOCUMENTO_CLASIFICADO', documentTypeCode: 'CONTRACT' });
    await trial.define('LEASES', { trigger: 'DOCUMENTO_CLASIFICADO', documentTypeCode: 'LEASE' });
    await trial.define('SALES', { trigger: 'DOCUMENTO_CLASIFICADO', documentTypeCode: 'SALE' });
    const documentId = randomUUID();
    for (let time = 0; time < 3; time += 1) await trial.classified({ documentId });
    await trial.classified();
    expect((await trial.codesOf(trial.administrator)).length).toBe(4);
    trial.neighbours.documents.add('D1');
    const [seen] = await trial.list(trial.administrator);
    trial.neighbours.documents.clear();
    const [hidden] = await trial.list(trial.administrator);
    expect([seen?.documentCode, seen?.entityCode, seen?.createdBy]).toEqual(['D1', 'E1', null]);
    expect(hidden?.documentCode).toBeNull();
  });
  it('a definition of a trigger is not started by hand, and one by hand is started by an agent', async () => {
    await trial.define('LEASES', { trigger: 'DOCUMENTO_CLASIFICADO', documentTypeCode: 'LEASE' });
    await trial.define('RENEW');
    await expect(trial.start('LEASES')).rejects.toThrow(ProcessRefused);
    await expect(trial.bed.send(startProcess, trial.userOf(trial.ana), { processCode: 'LEASES' })).rejects.toThrow(
      ProcessRefused,
    );
    trial.neighbours.documents.add('D7');
    const started = await trial.bed.send(startProcess, trial.userOf(trial.ana), {
      processCode: 'RENEW',
      documentCode: 'D7',
    });
    trial.neighbours.documents.clear();
    expect(started).toMatchObject({ createdBy: trial.ana.code, documentCode: 'D7' });
    const unseen = { processCode: 'RENEW', documentCode: 'D8' };
    await expect(trial.bed.send(startProcess, trial.userOf(trial.ana), unseen)).rejects.toThrow(NotFound);
  });
  it('the calendar starts one process a period, however often it is looked at', async () => {
    const calendar = jest.spyOn(trial.bed.get(Calendar), 'now');
    await trial.define('DAILY', { trigger: 'CALENDARIO', period: 'DIA' });
    await trial.define('MONTHLY', { trigger: 'CALENDARIO', period: 'MES' });
    const look = async (at: Date): Promise<number> => {
      calendar.mockReturnValue(at);
      await trial.bed.database.write(trial.administrator, (tx) =>
        tx.query('update operations.task set not_before = now()'),
      );
      expect(await trial.bed.runBatch(trial.groupId, START_SCHEDULED.name)).toBe(1);
      return (await trial.codesOf(trial.administrator)).length;
    };
    const today = new Date();
    const month = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 1));
    expect(await look(today)).toBe(0);
    expect([await look(month), await look(month)]).toEqual([2, 2]);
    expect(await look(nextMidnight(month))).toBe(3);
    calendar.mockRestore();
  });
  it('a request of a service starts one process for its subject, as long as that one is open', async () => {
    await trial.request('run:7');
    await trial.request('run:7');
    const [first = ''] = await trial.codesOf(trial.administrator);
    expect(await trial.list(trial.administrator)).toEqual([
      expect.objectContaining({ name: 'Review', processType: 'INGESTA', createdBy: null, tasks: [] }),
    ]);
    await trial.change(trial.administrator, first, { status: 'TERMINADO' });
    await trial.request('run:7');
    const [second = '', ...others] = await trial.codesOf(trial.administrator, { onlyOpen: true });
    expect([second === first, others]).toEqual([false, []]);
    await expect(trial.change(trial.administrator, first, { status: 'ABIERTO' })).rejects.toThrow(
      new ProcessConflict('SUBJECT_IS_OPEN'),
    );
    await trial.change(trial.administrator, second, { status: 'CANCELADO' });
    expect(await trial.change(trial.administrator, first, { status: 'ABIERTO' })).toMatchObject({ finishedAt: null });
  });
});

describe('the processes of a deleted user', () => {
  it('those that the user started go, the others go to the administrators; both are counted before', async () => {
    await trial.define('RENEW', { defaultAssignee: trial.ana.code });
    await trial.addTask('RENEW', 'READ', { assignee: trial.ana.code });
    const assigned = await trial.start('RENEW');
    await trial.bed.send(startProcess, trial.userOf(trial.ana), { processCode: 'RENEW' });
    const { dependencies } = await trial.bed.send(userDependents.operations, trial.administrator, trial.ana);
    expect(dependencies.filter(({ kind }) => kind.startsWith('procesos'))).toEqual([
      { kind: 'procesos', count: 1 },
      { kind: 'procesos_asignados', count: 1 },
    ]);
    await trial.bed.deliver(userDeletionStarted, trial.groupId, trial.ana);
    expect(await trial.codesOf(trial.administrator)).toEqual([assigned]);
    const left = await trial.show(trial.administrator, assigned);
    expect([left.assignedTo, left.tasks[0]?.assignee]).toEqual([null, null]);
    const [definition] = (await trial.bed.send(listGroupProcesses, trial.administrator, {})).processes;
    expect(definition?.defaultAssignee).toBeNull();
  });
});
