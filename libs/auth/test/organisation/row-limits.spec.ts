import { createArea, createEntity, createUser } from '@acervo/contracts';
import { rowLimits } from '../../src/kernel/row-limits';
import { Organisation } from './support';

let place: Organisation;
let token: string;
beforeAll(async () => {
  place = await Organisation.open();
  token = await place.auth.logIn();
});
afterAll(() => place.close());

type Table = keyof typeof rowLimits;

/** Creates one thing of a kind, by a name that no other one has; what became of it in short. */
const creations: Readonly<Record<Table, (name: string) => Promise<unknown>>> = {
  app_user: (name) => place.outcome(place.admin, createUser, { codigo: `${name}@example.test`, nombre: name }),
  entity: (name) => place.outcome(place.admin, createEntity, { name, code: name }),
  area: (name) => place.outcome(place.admin, createArea, { name, code: name, entity_code: 'E1' }),
  group_role: (name) => posted('/roles', { codigo: name, nombre: name, tipo_acceso: 'USUARIO', codigo_grupo: 'G1' }),
  api_key: (name) => posted('/auth/api-key', { nombre: name }),
};
const posted = async (path: string, sent: object): Promise<unknown> => {
  const { status, body } = await place.auth.ask('POST', path, sent, { token });
  return status < 300 ? body : `${body['codigo']} ${(body['detalles'] as { motivo?: string } | undefined)?.motivo}`;
};
const rowsOf = async (table: Table): Promise<number> => {
  const [row] = await place.auth.change(`select count(*)::int as rows from auth.${table} where group_id = $1`, [
    place.groupId,
  ]);
  return Number(row?.['rows']);
};

describe('the rows of one group', () => {
  it.each(Object.keys(creations) as Table[])('have a limit in %s', async (table) => {
    jest.replaceProperty(rowLimits, table, (await rowsOf(table)) + 1);
    expect(await creations[table](`A_${table}`)).toEqual(expect.any(Object));
    expect(await creations[table](`B_${table}`)).toMatch(/^CONFLICT(O)? GROUP_IS_FULL$/);
    expect(await rowsOf(table)).toBe(rowLimits[table]);
  });
});
