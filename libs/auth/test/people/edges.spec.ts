import { allOperations, contractedOperations } from '@acervo/contracts';
import { type Caller, People } from './support';

let people: People;
beforeAll(async () => {
  people = await People.open();
});
afterAll(() => people.close());

const published = allOperations().map(({ code }) => code);
/** The published operations that a screen uses according to the contract. */
const used = (screen: string): string[] =>
  contractedOperations.flatMap(({ code, screens }) =>
    screens.some((each) => each === screen) && published.includes(code) ? [code] : [],
  );
const ask = async (method: string, path: string, by: Caller = 'system'): Promise<Record<string, unknown>> => {
  const { status, body } = await people.as(by, method, path);
  expect([path, status]).toEqual([path, 200]);
  return body;
};
const apis = async (code: string): Promise<{ codigo: string }[]> =>
  (await ask('GET', `/funciones/${code}/apis`, 'admin'))['items'] as { codigo: string }[];
/** Changes functions as their owner, because the role of the services cannot. */
const change = (sql: string): Promise<unknown> => people.auth.server.asOwner('auth', sql);

describe('the operations of a function', () => {
  it('a function uses the operations that name it as a screen', async () => {
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

  it('a function that does not exist answers NOT_FOUND', async () => {
    for (const [method, path] of [
      ['GET', '/funciones/NADA/apis'],
      ['POST', '/funciones/NADA/sincronizar'],
    ] as const)
      expect((await people.as('system', method, path)).status).toBe(404);
  });

  it('stored edges change only when they are synchronised', async () => {
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

  it('synchronising all functions restores the edges of each', async () => {
    await change('delete from auth.global_function_api');
    const [row] = await people.auth.server.asOwner(
      'auth',
      'select count(*)::int as functions from auth.global_function',
    );
    const edges = contractedOperations.flatMap(({ code, screens }) => (published.includes(code) ? [...screens] : []));
    expect(await ask('POST', '/funciones/sincronizar-todas')).toEqual({
      ...{ funciones: row?.['functions'], apis: edges.length, nuevas: edges.length, retiradas: 0, huerfanas: [] },
      fecha_sincronizacion: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
    });
  });
});

describe('an operation that no function uses', () => {
  it('only an operation without a function is reported as orphaned', async () => {
    await change(`delete from auth.global_function where code = 'SESSION'`);
    for (const path of ['/funciones/DOCUMENTS/sincronizar', '/funciones/sincronizar-todas'])
      expect((await ask('POST', path))['huerfanas']).toEqual(['session.set_active_entity']);
  });
});
