import { createHash } from 'node:crypto';
import {
  describeContext,
  type EntityReach,
  entityReach,
  locationRootsOfScope,
  type SessionContext,
  setActiveArea,
  setActiveEntity,
  verifyCredential,
} from '@acervo/contracts';
import { LocationSets } from '@acervo/platform-calls';
import { anonymous, Scope, visibilityOf } from '@acervo/rbac';
import { RunningAuth } from './support/auth';

describe('a focus', () => {
  let auth: RunningAuth;
  let key: string;
  let session: string;

  const scopeOf = async (bearer: string): Promise<Scope> => {
    const { claims, token } = await auth.callsOf('gateway').send(verifyCredential, anonymous, { bearer });
    return new Scope(claims, token);
  };
  const show = async (bearer: string): Promise<SessionContext> =>
    auth.callsOf('gateway').send(describeContext, await scopeOf(bearer), {});
  const entity = async (bearer: string, entityCode: string | null): Promise<SessionContext> =>
    auth.callsOf('gateway').send(setActiveEntity, await scopeOf(bearer), { entityCode });
  const area = async (bearer: string, areaCode: string | null): Promise<SessionContext> =>
    auth.callsOf('gateway').send(setActiveArea, await scopeOf(bearer), { areaCode });
  const reach = async (bearer: string, entityCode: string): Promise<EntityReach> =>
    auth.callsOf('retrieval').send(entityReach, await scopeOf(bearer), { entityCode });
  const grant = (code: string, areaCode: string | null = null) =>
    auth.change(
      `insert into auth.user_entity (group_id, user_id, entity_code, area_code)
       select group_id, user_id, $2, $3 from auth.app_user where group_id = $1
       on conflict (group_id, user_id, entity_code) do update set area_code = excluded.area_code`,
      [auth.group.groupId, code, areaCode],
    );
  const fix = (entityCode: string | null, areaCode: string | null = null) =>
    auth.change(`update auth.api_key set fixed_entity = $2, fixed_area = $3 where group_id = $1`, [
      auth.group.groupId,
      entityCode,
      areaCode,
    ]);
  const withdraw = (code: string) =>
    auth.change(`delete from auth.user_entity where group_id = $1 and entity_code = $2`, [auth.group.groupId, code]);

  beforeAll(async () => {
    auth = await RunningAuth.start();
    key = auth.group.apiKey ?? '';
    session = await auth.logIn();
    await auth.change(`insert into auth.entity (group_id, code, name) values ($1, 'E2', 'Otra'), ($1, 'E3', 'Ajena')`, [
      auth.group.groupId,
    ]);
    await auth.change(
      `insert into auth.area (group_id, code, entity_code, parent_code, name) values
         ($1, 'A1', 'E1', null, 'Arriba'), ($1, 'A11', 'E1', 'A1', 'Abajo'), ($1, 'A12', 'E1', 'A1', 'Al lado'),
         ($1, 'A2', 'E2', null, 'De otra'), ($1, 'A3', 'E3', null, 'Ajena')`,
      [auth.group.groupId],
    );
    await auth.change(
      `insert into auth.area_location values ($1, 'A1', 'L1'), ($1, 'A11', 'L11'), ($1, 'A12', 'L12'), ($1, 'A2', 'L2')`,
      [auth.group.groupId],
    );
    await grant('E2');
  });
  afterAll(() => auth.close());
  beforeEach(async () => {
    await fix(null);
    await grant('E1');
    await grant('E2');
    for (const bearer of [key, session]) await entity(bearer, null);
  });

  describe.each([
    ['key', () => key],
    ['session', () => session],
  ])('a focus of a %s', (_what, bearer) => {
    it('an entity stays in focus until its release, and is shown', async () => {
      expect(await show(bearer())).toMatchObject({ activeEntity: null, entities: ['E1', 'E2'], entityIsFixed: false });
      expect(await entity(bearer(), 'E2')).toMatchObject({ activeEntity: 'E2', entities: ['E1', 'E2'] });
      expect(visibilityOf(await scopeOf(bearer())).entities).toEqual(['E2']);
      expect(await entity(bearer(), null)).toMatchObject({ activeEntity: null });
      expect(visibilityOf(await scopeOf(bearer())).entities).toEqual(['E1', 'E2']);
    });

    it('an entity of another user answers as a missing one', async () => {
      const absent = await entity(bearer(), 'NINGUNA').catch((error: unknown) => error);
      await expect(entity(bearer(), 'E3')).rejects.toEqual(absent);
      expect(absent).toMatchObject({ code: 'NOT_FOUND' });
      await expect(area(bearer(), 'A3')).rejects.toEqual(absent);
      await expect(area(bearer(), 'NINGUNA')).rejects.toEqual(absent);
      expect(await show(bearer())).toMatchObject({ activeEntity: null, activeArea: null });
    });

    it('an area brings its entity; releasing the area keeps the entity', async () => {
      expect(await area(bearer(), 'A11')).toMatchObject({
        activeEntity: 'E1',
        activeArea: 'A11',
        effectiveArea: 'A11',
        authorizedAreaRoot: null,
        areaFocusIsExplicit: true,
        focusIsStale: false,
      });
      expect(visibilityOf(await scopeOf(bearer()))).toMatchObject({ entities: ['E1'], locationRoots: ['L11'] });
      expect(await area(bearer(), null)).toMatchObject({ activeEntity: 'E1', activeArea: null, effectiveArea: null });
      expect(await area(bearer(), 'A2')).toMatchObject({ activeEntity: 'E2', activeArea: 'A2' });
    });

    it('an area stays with its entity and is released with another', async () => {
      await area(bearer(), 'A1');
      expect(await entity(bearer(), 'E1')).toMatchObject({ activeEntity: 'E1', activeArea: 'A1' });
      expect(await entity(bearer(), 'E2')).toMatchObject({ activeEntity: 'E2', activeArea: null });
      await area(bearer(), 'A1');
      expect(await entity(bearer(), null)).toMatchObject({ activeEntity: null, activeArea: null });
    });

    it('an owner with one area focuses only on it or below', async () => {
      await grant('E1', 'A11');
      await expect(area(bearer(), 'A1')).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(area(bearer(), 'A12')).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect(await entity(bearer(), 'E1')).toMatchObject({
        activeArea: null,
        effectiveArea: 'A11',
        authorizedAreaRoot: 'A11',
        areaFocusIsExplicit: false,
      });
      expect(await area(bearer(), 'A11')).toMatchObject({ areaFocusIsExplicit: true });
      expect(visibilityOf(await scopeOf(bearer())).locationRoots).toEqual(['L11']);
    });

    it('an entity outside of the focus is reached as far as its owner may', async () => {
      await area(bearer(), 'A11');
      expect(await reach(bearer(), 'E2')).toEqual({ locationRoots: null });
      await grant('E2', 'A2');
      expect(await reach(bearer(), 'E2')).toEqual({ locationRoots: ['L2'] });
      const absent = await reach(bearer(), 'NINGUNA').catch((error: unknown) => error);
      expect(absent).toMatchObject({ code: 'NOT_FOUND' });
      await expect(reach(bearer(), 'E3')).rejects.toEqual(absent);
    });

    it.each([
      ['the area leaves the permission', () => area(bearer(), 'A12'), () => grant('E1', 'A11')],
      ['the entity is withdrawn', () => entity(bearer(), 'E2'), () => withdraw('E2')],
      ['the entity of its area is withdrawn', () => area(bearer(), 'A2'), () => withdraw('E2')],
    ])('a focus that is stale because %s reads nothing until a repair', async (_why, set, away) => {
      await set();
      await away();
      const stale = await scopeOf(bearer());
      expect(() => visibilityOf(stale)).toThrow(expect.objectContaining({ code: 'CONTEXT_CONFLICT' }) as Error);
      expect(stale.locationRoots).toEqual([]);
      expect(await show(bearer())).toMatchObject({ focusIsStale: true, effectiveArea: null });
      expect(await entity(bearer(), null)).toMatchObject({ focusIsStale: false });
      await grant('E2');
      await grant('E1');
      await set();
      await away();
      expect(await area(bearer(), 'A11')).toMatchObject({ focusIsStale: false, activeArea: 'A11' });
      expect(visibilityOf(await scopeOf(bearer())).entities).toEqual(['E1']);
    });
  });

  it('a key fixed to an entity reaches no other one', async () => {
    await fix('E1', 'A1');
    await expect(reach(key, 'E2')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await reach(key, 'E1')).toEqual({ locationRoots: ['L1', 'L11', 'L12'] });
  });

  it('a key fixed to an entity neither changes nor releases it', async () => {
    await fix('E1');
    const refused = { code: 'FORBIDDEN' };
    for (const code of [null, 'E2', 'E3', 'NINGUNA']) await expect(entity(key, code)).rejects.toMatchObject(refused);
    await expect(area(key, 'A2')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await entity(key, 'E1')).toMatchObject({ activeEntity: 'E1', entityIsFixed: true });
    expect(await area(key, 'A12')).toMatchObject({ activeArea: 'A12' });
    expect(await area(key, null)).toMatchObject({ activeEntity: 'E1', activeArea: null });
  });

  it('a key fixed to an area goes stale without that area', async () => {
    await fix('E1', 'A1');
    expect(await area(key, 'A11')).toMatchObject({ activeArea: 'A11', authorizedAreaRoot: 'A1' });
    expect(await area(key, null)).toMatchObject({ effectiveArea: 'A1' });
    await area(key, 'A11');
    await grant('E1', 'A11');
    expect(await show(key)).toMatchObject({ focusIsStale: true });
    expect(await area(key, null)).toMatchObject({ focusIsStale: true });
    expect((await scopeOf(key)).focusIsStale).toBe(true);
  });

  it('the internal route changes the focus of its session', async () => {
    const change = (code: string | null) =>
      auth.ask('POST', '/auth/cambiar-entidad', { codigo_entidad: code }, { token: session });
    await area(session, 'A11');
    expect(await change('E2')).toMatchObject({ status: 200, body: { entidad_activa: 'E2', area_activa: null } });
    expect(await show(session)).toMatchObject({ activeEntity: 'E2', activeArea: null });
    expect((await change('E3')).status).toBe(404);
    await withdraw('E2');
    expect((await auth.ask('GET', '/auth/me', undefined, { token: session })).status).toBe(200);
    expect(await change(null)).toMatchObject({ status: 200, body: { entidad_activa: null } });
  });

  it('the focus of a key and of a session are independent', async () => {
    await entity(key, 'E2');
    expect(await show(session)).toMatchObject({ activeEntity: null });
  });

  describe.each([499, 500, 501, 5_000])('a focus on an area that reaches %i folders', (count) => {
    it('the scope contains the folders, or the hash of too many', async () => {
      await auth.change(`delete from auth.area_location where group_id = $1 and area_code = 'A12'`, [
        auth.group.groupId,
      ]);
      await auth.change(
        `insert into auth.area_location select $1, 'A12', 'F' || n from generate_series(1, $2::int) n`,
        [auth.group.groupId, count],
      );
      await area(key, 'A12');
      const scope = await scopeOf(key);
      const all = Array.from({ length: count }, (_, index) => `F${index + 1}`).toSorted();
      const hash = createHash('sha256').update(all.join('\n')).digest('hex');
      expect(scope.token.length).toBeLessThan(16_384);
      expect([scope.locationRoots, scope.locationRootsHash]).toEqual(count <= 500 ? [all, undefined] : [[], hash]);

      const asked: string[] = [];
      const calls = auth.callsOf('retrieval');
      const sets = new LocationSets({
        send: (call, under, input) => {
          asked.push(call.code);
          return calls.send(call, under, input);
        },
      });
      for (let request = 0; request < 3; request += 1)
        expect(visibilityOf(await sets.complete(await scopeOf(key))).locationRoots).toEqual(all);
      expect(asked).toEqual(count <= 500 ? [] : [locationRootsOfScope.code]);
      if (count > 500) expect(() => visibilityOf(scope)).toThrow(/fetched/);

      await auth.change(`delete from auth.area_location where group_id = $1 and location_code = 'F7'`, [
        auth.group.groupId,
      ]);
      const { locationRoots } = visibilityOf(await sets.complete(await scopeOf(key)));
      expect(locationRoots).toEqual(all.filter((code) => code !== 'F7'));
    });
  });
});
