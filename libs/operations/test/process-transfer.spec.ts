import { randomUUID } from 'node:crypto';
import {
  admitModelCall,
  createGroupProcess,
  createGroupTask,
  getProcess,
  listGroupProcesses,
  listGroupTasks,
  listGroups,
  processesTransfer,
  readParameters,
  transferredProcesses,
  updateGroupProcess,
  updateProcess,
} from '@acervo/contracts';
import { administratorOf, exportedRows, importRows, newGroup, type ServiceTestBed } from '@acervo/platform-test-bed';
import { tenantTablesOf } from '@acervo/platform-testing';
import { type Scope, WorkScope } from '@acervo/rbac';
import { leftBehind, processTables } from '../src/transfer/tables';
import { Upkeep } from '../src/upkeep/upkeep';
import { openBed } from './bed';

/** Auth: the groups, and how long processes stay. */
const world = {
  groups: [] as { groupId: string; code: string; first: boolean }[],
  days: '0',
  send({ code }: { readonly code: string }): Promise<never> {
    if (code === listGroups.code) return Promise.resolve({ groups: this.groups } as never);
    if (code !== readParameters.code) return Promise.resolve({ codes: [] } as never);
    return Promise.resolve({ values: [{ parameterCode: 'PROCESS_RETENTION_DAYS', value: this.days }] } as never);
  },
};

let [source, target]: [ServiceTestBed, ServiceTestBed] = [] as never;
beforeAll(async () => {
  const neighbours = world as never;
  [source, target] = [await openBed({ neighbours }), await openBed({ neighbours })];
});
afterAll(async () => {
  await source.close();
  await target.close();
});
beforeEach(() => Object.assign(world, { groups: [], days: '0' }));

const administrator = (): Scope => {
  const groupId = newGroup();
  world.groups.push({ groupId, code: 'G', first: false });
  return administratorOf(groupId, { userCode: 'admin@example.test' });
};
const define = (scope: Scope, processCode: string, over: object = {}) =>
  source.send(createGroupProcess, scope, { processCode, name: processCode, ...over });
const start = async (bed: ServiceTestBed, scope: Scope, processCode: string): Promise<string> =>
  (await bed.send(updateGroupProcess, scope, { processCode, start: true })).startedProcess ?? '';
describe('the transfer of processes to another installation', () => {
  it('every tenant table is transferred or left out with a reason', async () => {
    const listed = [...processTables.map(({ name }) => name), ...leftBehind];
    expect(await tenantTablesOf(source.engine, 'operations')).toEqual([...listed].sort());
    expect(processTables.map(({ name }) => name)).toEqual(transferredProcesses);
  });
  it('definitions and processes are read again with their codes, and new ones follow', async () => {
    const scope = administrator();
    await define(scope, 'RENEW', { dueDays: 3 });
    await define(scope, 'DAILY', { trigger: 'CALENDARIO', period: 'DIA' });
    await source.send(createGroupTask, scope, { processCode: 'RENEW', taskCode: 'SIGN', name: 'Sign' });
    const code = await start(source, scope, 'RENEW');
    await source.send(updateProcess, scope, { processCode: code, cost: 12.5, comments: 'Llamar.' });
    const { groupId } = scope;
    const rows = await exportedRows(source, processesTransfer, groupId);
    for (let time = 0; time < 2; time += 1)
      await importRows(target, processesTransfer, groupId, transferredProcesses, rows);
    for (const [call, input] of [
      [getProcess, { processCode: code }],
      [listGroupProcesses, {}],
      [listGroupTasks, { processCode: 'RENEW' }],
    ] as const)
      expect(await target.send(call as never, scope as never, input as never)).toEqual(
        await source.send(call as never, scope as never, input as never),
      );
    expect(await start(target, scope, 'RENEW')).toBe('P2');
    await target.get(Upkeep).round();
    const planned = await target.database.read(scope, (tx) => tx.query('select stage from operations.task'));
    expect(planned).toEqual([{ stage: 'start-scheduled' }]);
  });
});

describe('the transfer of calls of chat models', () => {
  it('rows and counts arrive once, however often they are imported', async () => {
    const scope = administrator();
    const { groupId } = scope;
    const call = { callId: randomUUID(), entityCode: 'E1', purpose: 'KEY-DATES', layers: [], model: 'small' };
    const work = new WorkScope(groupId, 'chat', 'test');
    await source.send(admitModelCall, work, { ...call, mostTokens: 100, timeoutMs: 60_000 });
    const rows = await exportedRows(source, processesTransfer, groupId);
    for (let time = 0; time < 2; time += 1)
      await importRows(target, processesTransfer, groupId, transferredProcesses, rows);
    for (const table of ['model_token', 'model_token_count', 'model_call']) {
      const [there, here] = await Promise.all(
        [source, target].map((bed) => bed.database.read(scope, (tx) => tx.query(`select * from operations.${table}`))),
      );
      expect(here).toEqual(there);
      expect(here).toHaveLength(1);
    }
  });
});

describe('upkeep of processes', () => {
  it('it deletes what is over for longer than the group allows, and nothing else', async () => {
    const scope = administrator();
    await define(scope, 'RENEW');
    const [open, recent, old] = [
      await start(source, scope, 'RENEW'),
      await start(source, scope, 'RENEW'),
      await start(source, scope, 'RENEW'),
    ];
    for (const processCode of [recent, old])
      await source.send(updateProcess, scope, { processCode, status: 'TERMINADO' });
    const aged = `update operations.process set created_at = now() - interval '40 days', updated_at = now() - interval '40 days',
      finished_at = case when finished_at is null then null else now() - interval '31 days' end where code = any($1)`;
    await source.database.write(scope, (tx) => tx.query(aged, [[open, old]]));
    const left = async (): Promise<unknown[]> => {
      await source.get(Upkeep).round();
      const rows = await source.database.read(scope, (tx) =>
        tx.query<{ code: string }>('select code from operations.process order by code'),
      );
      return rows.map(({ code }) => code);
    };
    expect(await left()).toEqual([open, recent, old]);
    world.days = '30';
    expect(await left()).toEqual([open, recent]);
  });
});
