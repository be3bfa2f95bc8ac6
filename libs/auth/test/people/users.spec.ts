import request from 'supertest';
import { bearerOf, openPeople, type People } from './support';

let people: People;
let admin: string;
let other: string;
let system: string;

beforeAll(async () => {
  people = await openPeople();
  admin = bearerOf(people.groupId, 'admin@example.test');
  other = await people.user(await people.group('G2'), 'admin@other.test', 1);
  system = await people.user(people.groupId, 'system@example.test', 2);
}, 60_000);
afterAll(() => people.close());

interface Answer {
  readonly status: number;
  readonly body: unknown;
}
const send = async (
  bearer: string,
  method: 'get' | 'post' | 'put' | 'delete',
  path: string,
  body?: object,
): Promise<Answer> => {
  const sent = request(people.http.handler)[method](path).set('Authorization', `Bearer ${bearer}`);
  const { status, body: answer } = await (body === undefined ? sent : sent.send(body));
  return { status, body: answer as unknown };
};

describe('an administrator', () => {
  it('makes a user, who is invited and can be found', async () => {
    const made = await send(admin, 'post', '/usuarios', {
      codigo: 'Ana@Example.test',
      nombre: 'Ana Núñez',
      id_rol: 3,
      entidades: ['E1'],
    });
    expect(made).toMatchObject({
      status: 201,
      body: {
        codigo: 'ana@example.test',
        estado: 'PENDIENTE',
        tipo_acceso: 'USUARIO',
        rol_principal: 'USUARIO',
        codigo_grupo: 'G1',
      },
    });
    expect(people.letterbox.sent.map(({ email }) => email)).toEqual(['ana@example.test']);
    expect((await send(admin, 'get', '/usuarios/paginado?q=NÚÑ')).body).toMatchObject({ total: 1, page: 1, limit: 50 });
    expect((await send(admin, 'get', '/usuarios')).body).toHaveLength(3);
  });
  it('sees nobody of another group, and is told of them as of nobody', async () => {
    expect((await send(other, 'get', '/usuarios')).body).toHaveLength(1);
    const [theirs, nobodys] = [
      await send(other, 'get', '/usuarios/ana@example.test'),
      await send(other, 'get', '/usuarios/nobody@example.test'),
    ];
    expect(theirs.status).toBe(404);
    expect(theirs.body).toEqual({ ...(nobodys.body as object), id_solicitud: expect.any(String) as string });
  });
  it('lists the system only as SYSTEM', async () => {
    expect((await send(admin, 'get', '/usuarios/todos')).status).toBe(403);
    const all = await send(system, 'get', '/usuarios/todos/paginado?q=admin');
    expect(all.body).toMatchObject({
      total: 2,
      limit: 10,
      items: [{ codigo: 'admin@example.test' }, { codigo_grupo: 'G2' }],
    });
  });
});
