import { randomUUID } from 'node:crypto';
import {
  analyseFunction,
  type Call,
  type FunctionRecord,
  listFunctions,
  listPublishedOperations,
  syncFunction,
  Unavailable,
  updateFunction,
} from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { administratorOf, type ServiceTestBed } from '@acervo/platform-test-bed';
import { ANALYSE_FUNCTION } from '../src/functions/analysis.stage';
import { openBed } from './bed';

const groupId = randomUUID();
const system = administratorOf(groupId, { profile: 'SISTEMA' });

/** Answers in place of operations-executor. */
const executor = {
  isAway: false,
  published: ['documents.get', 'documents.new'],
  send: ({ code }: Call): Promise<never> => {
    if (executor.isAway) return Promise.reject(new Unavailable('operations is away.'));
    if (code !== listPublishedOperations.code) return Promise.reject(new Error(`${code} is unexpected.`));
    const operations = [
      ...executor.published.map((each) => ({ code: each, functions: ['DOCUMENTS'] })),
      { code: 'users.list', functions: ['MANAGE_USERS'] },
    ].map((each) => ({ ...each, kind: 'read', confirmRequired: false }));
    return Promise.resolve({ operations } as never);
  },
};

let bed: ServiceTestBed;
beforeAll(async () => {
  bed = await openBed({ neighbours: executor as unknown as Pick<Calls, 'send'> });
  await bed.database.write({ groupId }, (tx) =>
    tx.query(`insert into auth.tenant_group (group_id, code, name) values ($1, 'G1', 'Grupo')`, [groupId]),
  );
});
afterAll(() => bed.close());

const work = (): Promise<number> => bed.runBatch(groupId, ANALYSE_FUNCTION.name);
const documents = async (): Promise<FunctionRecord | undefined> =>
  (await bed.send(listFunctions, system, {})).items.find(({ code }) => code === 'DOCUMENTS');

const change = {
  code: 'DOCUMENTS',
  sections: [{ title: 'Búsqueda', text: 'Buscar.' }],
  behaviours: [
    { class: 'NAVEGACION', section: 'Búsqueda', text: 'Abre la biblioteca.' },
    { class: 'INTERACCION', section: 'Búsqueda', text: 'Abre una ficha.', operations: ['documents.get'] },
    { class: 'INTERACCION', section: 'Búsqueda', text: 'Usa otra cosa.', operations: ['users.list'] },
  ],
} as const;

describe('a forced analysis', () => {
  it('compares operations, edges and behaviours, and compiles the document', async () => {
    await bed.send(syncFunction, system, { code: 'DOCUMENTS' });
    await bed.send(updateFunction, system, change);
    const queued = await bed.send(analyseFunction, system, { code: 'DOCUMENTS' });
    expect(queued).toMatchObject({ code: 'DOCUMENTS', status: 'PENDIENTE' });
    expect(bed.signals.stages).toEqual([ANALYSE_FUNCTION.name]);
    expect((await documents())?.analysis).toBeNull();
    expect(await work()).toBe(1);
    const { analysis, document } = (await documents()) ?? {};
    expect(document).toContain('Abre una ficha.');
    expect(analysis).toMatchObject({
      operations: 2,
      operationsWithoutEdge: ['documents.new'],
      operationsWithoutBehaviour: ['documents.new'],
      behavioursWithoutOperation: [{ text: 'Abre la biblioteca.' }, { text: 'Usa otra cosa.' }],
    });
    expect(analysis?.edgesWithoutOperation).toContain('documents.list');
    expect(analysis?.edgesWithoutOperation).not.toContain('documents.get');
  });

  it('waits while the executor is away, and ends once', async () => {
    executor.isAway = true;
    await bed.send(analyseFunction, system, { code: 'DOCUMENTS' });
    const before = (await documents())?.analysis?.analysedAt;
    await work();
    expect((await documents())?.analysis?.analysedAt).toBe(before);
    executor.isAway = false;
    expect(await work()).toBe(1);
    expect((await documents())?.analysis?.analysedAt).not.toBe(before);
    expect(await work()).toBe(0);
  });

  it('ends without a report where its function was deleted', async () => {
    await bed.engine.asOwner('auth', `insert into auth.global_function (code, name) values ('PASSING', 'Pasajera')`);
    await bed.send(analyseFunction, system, { code: 'PASSING' });
    await bed.engine.asOwner('auth', `delete from auth.global_function where code = 'PASSING'`);
    expect(await work()).toBe(1);
    expect(await work()).toBe(0);
  });
});
