import { addAreaLocation, createArea, removeAreaLocation, updateArea, verifyCredential } from '@acervo/contracts';
import { anonymous } from '@acervo/rbac';
import { parseKey } from '../../src/keys/key-format';
import { Organisation } from './support';

const EMAIL = 'persona@example.test';

let place: Organisation;
let session: string;
beforeAll(async () => {
  place = await Organisation.open();
  session = await place.auth.logIn();
  for (const code of ['L1', 'L2', 'L3'])
    place.folders.folders.set(code, { name: code, entityCode: 'E1', documents: 1 });
  for (const [code, parent_code] of [
    ['NORTE', undefined],
    ['COSTA', 'NORTE'],
    ['SUR', undefined],
  ] as const)
    await place.ask(place.admin, createArea, {
      entity_code: 'E1',
      code,
      name: code,
      ...(parent_code ? { parent_code } : {}),
    });
  for (const [area_code, location_code] of [
    ['NORTE', 'L1'],
    ['COSTA', 'L2'],
    ['SUR', 'L3'],
  ] as const)
    await place.ask(place.admin, addAreaLocation, { area_code, location_code });
  await person();
});
afterAll(() => place.close());

const http = async (method: string, path: string, body?: unknown): Promise<void> => {
  const { status, body: answer } = await place.auth.ask(method, path, body, { token: session });
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
};
const person = async (): Promise<void> => {
  await http('POST', '/usuarios', { codigo: EMAIL, nombre: 'Persona', password: 'una clave larga', id_rol: 3 });
  await http('POST', `/usuarios/${EMAIL}/entidades`, { codigo_entidad: 'E1', codigo_area: 'NORTE' });
};
const roots = async (key: string): Promise<unknown> => (await place.scope(key)).locationRoots;

describe('a change of access acts on the next request', () => {
  it('linking or unlinking a folder acts on areas at any level', async () => {
    const key = await place.key({ owner: EMAIL });
    expect(await roots(key)).toEqual(['L1', 'L2']);
    await place.ask(place.admin, removeAreaLocation, { area_code: 'COSTA', location_code: 'L2' });
    expect(await roots(key)).toEqual(['L1']);
    await place.ask(place.admin, addAreaLocation, { area_code: 'COSTA', location_code: 'L3' });
    expect(await roots(key)).toEqual(['L1', 'L3']);
    await place.ask(place.admin, removeAreaLocation, { area_code: 'COSTA', location_code: 'L3' });
    await place.ask(place.admin, addAreaLocation, { area_code: 'COSTA', location_code: 'L2' });
  });
  it('moving an area out of the permission and back acts at once', async () => {
    const key = await place.key({ owner: EMAIL });
    const fixed = await place.key({ owner: EMAIL, entity: 'E1', area: 'COSTA' });
    expect(await roots(fixed)).toEqual(['L2']);
    await place.ask(place.admin, updateArea, { area_code: 'COSTA', parent_code: 'SUR' });
    expect(await roots(key)).toEqual(['L1']);
    expect(await place.scope(fixed)).toMatchObject({ focusIsStale: true, locationRoots: [] });
    await place.ask(place.admin, updateArea, { area_code: 'COSTA', parent_code: 'NORTE' });
    expect(await roots(key)).toEqual(['L1', 'L2']);
    expect(await roots(fixed)).toEqual(['L2']);
  });
  it('withdrawing an entity and granting it differently acts at once', async () => {
    const key = await place.key({ owner: EMAIL });
    await http('DELETE', `/usuarios/${EMAIL}/entidades/E1`);
    expect(await place.scope(key)).toMatchObject({ entities: [] });
    await http('POST', `/usuarios/${EMAIL}/entidades`, { codigo_entidad: 'E1', codigo_area: 'SUR' });
    expect(await roots(key)).toEqual(['L3']);
    await http('DELETE', `/usuarios/${EMAIL}/entidades/E1`);
    await http('POST', `/usuarios/${EMAIL}/entidades`, { codigo_entidad: 'E1', codigo_area: 'NORTE' });
  });
  it.each<[string, (key: string) => Promise<void>, () => Promise<void>]>([
    [
      'the role is taken from the owner',
      () => http('DELETE', `/usuarios/${EMAIL}/roles/3`),
      () => http('POST', `/usuarios/${EMAIL}/roles`, { id_rol: 3 }),
    ],
    [
      'the owner is disabled',
      () => http('PUT', `/usuarios/${EMAIL}`, { estado: 'INACTIVO' }),
      () => http('PUT', `/usuarios/${EMAIL}`, { estado: 'ACTIVO' }),
    ],
    ['the key is revoked', (key) => http('DELETE', `/auth/api-key/${parseKey(key)?.keyId}`), () => Promise.resolve()],
    [
      'the owner is deleted',
      () => http('DELETE', `/usuarios/${EMAIL}`),
      async () => {
        await place.auth.endDeletions();
        await person();
      },
    ],
  ])('once %s, no request that begins later succeeds', async (_when, away, back) => {
    const key = await place.key({ owner: EMAIL });
    const gateway = place.auth.callsOf('gateway');
    const started: { at: number; succeeded: boolean }[] = [];
    let going = true;
    const asking = Array.from({ length: 4 }, async () => {
      while (going) {
        const at = performance.now();
        const answer = gateway.send(verifyCredential, anonymous, { bearer: key });
        started.push({ at, succeeded: await answer.then(() => true).catch(() => false) });
      }
    });
    while (started.length < 8) await new Promise((resolve) => setTimeout(resolve, 5));
    await away(key);
    const changedAt = performance.now();
    while (started.filter(({ at }) => at > changedAt).length < 20)
      await new Promise((resolve) => setTimeout(resolve, 5));
    going = false;
    await Promise.all(asking);
    expect(started.filter(({ succeeded }) => succeeded)).not.toHaveLength(0);
    expect(started.filter(({ at, succeeded }) => at > changedAt && succeeded)).toEqual([]);
    await back();
  });
});
