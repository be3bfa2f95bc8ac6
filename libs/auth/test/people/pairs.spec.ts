import type { Answer } from '../support/auth';
import type { Route } from './route';
import { peopleRoutes } from './routes';
import { People } from './support';

let people: People;
beforeAll(async () => {
  people = await People.open();
});
afterAll(() => people.close());

const named = peopleRoutes.map((route) => [`${route.method} ${route.path}`, route] as const);
const bodyOf = (route: Route): unknown => (route.method === 'GET' ? undefined : route.body);
const stripped = ({ status, body }: Answer): object => ({ status, body: { ...body, id_solicitud: 'masked' } });
const code = (answer: Answer): unknown => [answer.status, answer.body['codigo']];

/** Routes that the application serves, under the prefixes of people. */
const served = (): string[] => {
  const { router } = people.auth.service.app.getHttpAdapter().getInstance() as {
    router: { stack: { route?: { path: string; methods: Record<string, boolean> } }[] };
  };
  return router.stack
    .flatMap(({ route }) => (route === undefined ? [] : [route]))
    .flatMap(({ path, methods }) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
    .filter((pair) => /^\w+ \/(usuarios|roles|funciones)(\/|$)/.test(pair));
};

describe('the routes of people', () => {
  it('the routes of people are the 55 of the table', () => {
    expect(served().toSorted()).toEqual(named.map(([pair]) => pair).toSorted());
    expect(named).toHaveLength(55);
  });
});

describe('routes without the required right', () => {
  it.each(named)('%s answers 401 without a token and with an invalid one', async (_pair, route) => {
    const asked = (token?: string): Promise<Answer> =>
      people.auth.ask(route.method, route.at, bodyOf(route), token === undefined ? {} : { token });
    expect(code(await asked())).toEqual([401, 'UNAUTHORIZED']);
    expect(code(await asked('eyJhbGciOiJub25lIn0.e30.'))).toEqual([401, 'UNAUTHORIZED']);
  });
  it.each(named)('%s answers 403 to a user without rights and to keys', async (_pair, route) => {
    expect(code(await people.as('user', route.method, route.at, bodyOf(route)))).toEqual([403, 'FORBIDDEN']);
    expect(await people.as('key', route.method, route.at, bodyOf(route))).toMatchObject({
      status: 403,
      body: { mensaje: 'Una clave de API solo puede operar a través de la API pública /v1.' },
    });
  });
  it.each(named.filter(([, { by }]) => by === 'system'))('%s answers 403 to an administrator', async (_pair, route) => {
    expect(code(await people.as('admin', route.method, route.at, bodyOf(route)))).toEqual([403, 'FORBIDDEN']);
  });
});

describe('routes with the required right', () => {
  // Each route of the table finds the rows that earlier ones created.
  it.each(named)('%s refuses an invalid request, then accepts a valid one', async (_pair, route) => {
    const { method, at, by, invalid, hidden } = route;
    if (invalid !== undefined) {
      const refused = await people.as(by, method, invalid.at ?? at, invalid.body ?? bodyOf(route));
      expect(code(refused)).toEqual([422, 'VALIDATION_ERROR']);
      expect(Object.keys(refused.body).toSorted()).toEqual(['codigo', 'detalles', 'id_solicitud', 'mensaje']);
    }
    if (hidden !== undefined) {
      const theirs = await people.as('other', method, hidden.theirs, hidden.body);
      const nobodys = await people.as('other', method, hidden.nobodys, hidden.body);
      expect(code(theirs)).toEqual([404, 'NOT_FOUND']);
      expect(stripped(theirs)).toEqual(stripped(nobodys));
    }
    const answer = await people.as(by, method, at, bodyOf(route));
    expect([answer.status, answer.body]).toEqual([route.status, expect.anything()]);
  });
});
