import { allOperations } from '@acervo/contracts';
import { operationRows } from '@acervo/rbac';
import { type Caller, People } from './support';

let people: People;
beforeAll(async () => {
  people = await People.open();
}, 90_000);
afterAll(() => people.close());

const published = allOperations().map(({ code }) => code);
/** What the contract says that a screen uses, as far as it is published. */
const used = (screen: string): string[] =>
  operationRows.flatMap(({ code, screens }) =>
    screens.some((each) => each === screen) && published.includes(code) ? [code] : [],
  );
const ask = async (method: string, path: string, by: Caller = 'system'): Promise<Record<string, unknown>> => {
  const { status, body } = await people.as(by, method, path);
  expect([path, status]).toEqual([path, 200]);
  return body;
};
const apis = async (code: string): Promise<{ codigo: string }[]> =>
  (await ask('GET', `/funciones/${code}/apis`, 'admin'))['items'] as { codigo: string }[];
/** Functions are changed by their owner: the role that services work as cannot. */
const change = (sql: string): Promise<unknown> => people.auth.server.asOwner('auth', sql);

describe('the operations of a function', () => {
  it('are those that name it among their screens, whether its edges were written down or not', async () => {
    for (let round = 0; round < 2; round += 1) {
      for (const code of ['DOCUMENTS', 'MANAGE_USERS', 'SESSION']) {
        expect((await apis(code)).map(({ codigo }) => codigo)).toEqual(used(code));
        await ask('POST', `/funciones/${code}/sincronizar`);
      }
    }
    expect(await apis('SESSION')).toEqual([
      {
        codigo: 'session.set_active_entity',
        tipo: 'write',
        metodo: 'POST',
        ruta: '/v1/operations/session.set_active_entity:execute',
      },
    ]);
  });

  it('are those of nobody for a function that does not exist', async () => {
    for (const [method, path] of [
      ['GET', '/funciones/NADA/apis'],
      ['POST', '/funciones/NADA/sincronizar'],
    ] as const)
      expect((await people.as('system', method, path)).status).toBe(404);
  });

  it('stay as they were written down until somebody brings them up to date', async () => {
    await ask('POST', '/funciones/sincronizar-todas');
    await change(
      `delete from auth.global_function_api where function_code = 'DOCUMENTS' and api_code = 'documents.get'`,
    );
    await change(`insert into auth.global_function_api values ('DOCUMENTS', 'documents.gone')`);
    expect((await apis('DOCUMENTS')).map(({ codigo }) => codigo)).not.toContain('documents.get');
    expect((await apis('DOCUMENTS')).map(({ codigo }) => codigo)).not.toContain('documents.gone');
    const report = { codigo: 'DOCUMENTS', apis: used('DOCUMENTS').length, huerfanas: [] };
    expect(await ask('POST', '/funciones/DOCUMENTS/sincronizar')).toMatchObject({ ...report, nuevas: 1, retiradas: 1 });
    expect(await ask('POST', '/funciones/DOCUMENTS/sincronizar')).toMatchObject({ ...report, nuevas: 0, retiradas: 0 });
  });

  it('are made anew for all functions at once, each function with its own', async () => {
    await change('delete from auth.global_function_api');
    const [row] = await people.auth.server.asOwner(
      'auth',
      'select count(*)::int as functions from auth.global_function',
    );
    const edges = operationRows.flatMap(({ code, screens }) => (published.includes(code) ? [...screens] : []));
    expect(await ask('POST', '/funciones/sincronizar-todas')).toEqual({
      ...{ funciones: row?.['functions'], apis: edges.length, nuevas: edges.length, retiradas: 0, huerfanas: [] },
      fecha_sincronizacion: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
    });
  });
});

describe('an operation that no function uses', () => {
  it('is reported, and no other is', async () => {
    await change(`delete from auth.global_function where code = 'SESSION'`);
    for (const path of ['/funciones/DOCUMENTS/sincronizar', '/funciones/sincronizar-todas'])
      expect((await ask('POST', path))['huerfanas']).toEqual(['session.set_active_entity']);
  });
});
