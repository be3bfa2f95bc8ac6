import { randomUUID } from 'node:crypto';
import {
  deleteGroupProcess,
  deleteGroupTask,
  InvalidMeaning,
  listGroupProcesses,
  listGroupTasks,
  NotFound,
  previewGroupProcessDeletion,
  previewGroupTaskDeletion,
  reorderGroupProcesses,
  reorderGroupTasks,
  updateGroupProcess,
  updateGroupTask,
} from '@acervo/contracts';
import { administratorOf } from '@acervo/platform-test-bed';
import { ProcessConflict } from '../src/processes/processes.errors';
import { ProcessTrial } from './process-trial';

let trial: ProcessTrial;
beforeAll(async () => {
  trial = await ProcessTrial.open();
});
afterAll(() => trial.close());
beforeEach(() => {
  trial = trial.next();
});

describe('a definition', () => {
  it('it is created, changed with a new version, listed and ordered', async () => {
    expect(
      await trial.define('RENEW', { category: 'contracts', defaultAssignee: trial.ana.code, dueDays: 5 }),
    ).toMatchObject({
      ...{ processCode: 'RENEW', position: 1, version: 1, priority: 'NORMAL', trigger: 'A_MANO' },
      ...{ category: 'contracts', defaultAssignee: trial.ana.code, dueDays: 5, taskCount: 0, openProcesses: 0 },
    });
    await trial.define('AUDIT');
    await trial.define('CLOSE');
    expect(
      await trial.bed.send(updateGroupProcess, trial.administrator, {
        processCode: 'RENEW',
        category: null,
        priority: 'ALTA',
      }),
    ).toMatchObject({ version: 2, category: null, priority: 'ALTA', dueDays: 5, startedProcess: null });
    const { processes } = await trial.bed.send(reorderGroupProcesses, trial.administrator, {
      processCodes: ['CLOSE', 'RENEW'],
    });
    expect(processes.map(({ processCode }) => processCode)).toEqual(['CLOSE', 'AUDIT', 'RENEW']);
    const found = await trial.bed.send(listGroupProcesses, trial.administrator, { query: 'name of au' });
    expect(found.processes.map(({ processCode }) => processCode)).toEqual(['AUDIT']);
  });
  it('a taken code, an unknown person and a change of nothing are refused', async () => {
    await trial.define('RENEW');
    await expect(trial.define('RENEW')).rejects.toThrow(ProcessConflict);
    await expect(trial.define('OTHER', { defaultAssignee: 'unknown@example.test' })).rejects.toThrow(NotFound);
    await expect(trial.bed.send(updateGroupProcess, trial.administrator, { processCode: 'RENEW' })).rejects.toThrow(
      InvalidMeaning,
    );
    await expect(
      trial.bed.send(updateGroupProcess, trial.administrator, { processCode: 'NONE', start: true }),
    ).rejects.toThrow(NotFound);
  });
  it('one of another group is not found', async () => {
    await trial.define('RENEW');
    const foreign = administratorOf(randomUUID());
    expect((await trial.bed.send(listGroupProcesses, foreign, {})).processes).toEqual([]);
    for (const send of [
      () => trial.bed.send(updateGroupProcess, foreign, { processCode: 'RENEW', name: 'x' }),
      () => trial.bed.send(deleteGroupProcess, foreign, { processCode: 'RENEW' }),
      () => trial.bed.send(listGroupTasks, foreign, { processCode: 'RENEW' }),
      () => trial.bed.send(reorderGroupProcesses, foreign, { processCodes: ['RENEW'] }),
    ])
      await expect(send()).rejects.toThrow(NotFound);
  });
  it('its deletion takes its tasks, keeps its processes, and is counted before', async () => {
    await trial.define('RENEW');
    await trial.addTask('RENEW', 'SIGN');
    const code = await trial.start('RENEW');
    expect(await trial.bed.send(previewGroupProcessDeletion, trial.administrator, { processCode: 'RENEW' })).toEqual({
      ...{ processCode: 'RENEW', tasks: 1, processes: 1 },
    });
    await trial.bed.send(deleteGroupProcess, trial.administrator, { processCode: 'RENEW' });
    expect((await trial.bed.send(listGroupProcesses, trial.administrator, {})).processes).toEqual([]);
    expect((await trial.show(trial.administrator, code)).tasks.map((task) => task.code)).toEqual(['SIGN']);
  });
});

describe('the tasks of a definition', () => {
  it('they are added at the end, changed, ordered and deleted; each is a new version', async () => {
    await trial.define('RENEW');
    for (const code of ['READ', 'SIGN', 'FILE']) await trial.addTask('RENEW', code);
    await trial.bed.send(updateGroupTask, trial.administrator, {
      processCode: 'RENEW',
      taskCode: 'SIGN',
      assignee: trial.ana.code,
      days: 2,
    });
    const { tasks } = await trial.bed.send(reorderGroupTasks, trial.administrator, {
      ...{ processCode: 'RENEW', taskCodes: ['FILE', 'READ'] },
    });
    expect(tasks.map(({ taskCode, assignee, days }) => [taskCode, assignee, days])).toEqual([
      ['FILE', null, null],
      ['SIGN', trial.ana.code, 2],
      ['READ', null, null],
    ]);
    const reference = { processCode: 'RENEW', taskCode: 'FILE' };
    await trial.start('RENEW');
    expect(await trial.bed.send(previewGroupTaskDeletion, trial.administrator, reference)).toEqual({
      ...reference,
      pendingProcesses: 1,
    });
    await trial.bed.send(deleteGroupTask, trial.administrator, reference);
    const [definition] = (await trial.bed.send(listGroupProcesses, trial.administrator, {})).processes;
    expect(definition).toMatchObject({ version: 7, taskCount: 2, openProcesses: 1 });
  });
});
