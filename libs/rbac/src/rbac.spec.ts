import { ContextConflict, InvalidContext, NotFound, ScopeClaims } from '@acervo/contracts';
import type { Profile } from '@acervo/public-mapping';
import {
  anonymous,
  entityOf,
  followsIngestion,
  isRestricting,
  reaches,
  readsDocuments,
  readsOneDocument,
  requirementOf,
  requirements,
  Requires,
  Scope,
  searches,
  visibilityOf,
  visibilityOfRequest,
  visibilitySql,
  WorkScope,
} from './index';

const claims = (over: Partial<ScopeClaims> = {}): ScopeClaims =>
  Object.assign(new ScopeClaims(), {
    groupId: '00000000-0000-7000-8000-000000000001',
    functions: ['DOCUMENTS'],
    entities: ['E1', 'E2'],
    activeEntity: null,
    locationRoots: null,
    ...over,
  });
const scope = (over: Partial<ScopeClaims> = {}): Scope => new Scope(claims(over), 'secret-token');

describe('a scope', () => {
  it('a scope is immutable', () => {
    expect(() => Object.assign(scope(), { groupId: 'other' })).toThrow(TypeError);
  });
  it('a printed scope does not contain its token', () => {
    expect(JSON.stringify(scope())).not.toContain('secret-token');
    expect(scope().token).toBe('secret-token');
  });
  it('each kind of scope has its name, and none can be changed', () => {
    const work = new WorkScope('group', 'ingestion', 'run');
    expect([scope().kind, work.kind, anonymous.kind]).toEqual(['user', 'work', 'anonymous']);
    for (const each of [work, anonymous]) expect(() => Object.assign(each, { kind: 'user' })).toThrow(TypeError);
  });
  it('work is urgent only where it is asked for', () => {
    expect(new WorkScope('group', 'ingestion', 'run')).toMatchObject({ urgent: false, cause: 'run' });
    expect(new WorkScope('group', 'ingestion', 'run', true).urgent).toBe(true);
  });
});

describe('visibility', () => {
  it('visibility covers all entities of the owner, or the focused one', () => {
    expect(visibilityOf(scope()).entities).toEqual(['E1', 'E2']);
    expect(visibilityOf(scope({ activeEntity: 'E2' })).entities).toEqual(['E2']);
  });
  it('a focused entity that the owner lost makes visibility empty', () => {
    expect(visibilityOf(scope({ activeEntity: 'E9' })).entities).toEqual([]);
  });
  it('an entity of another owner is answered as unknown', () => {
    expect(() => visibilityOf(scope(), { entityCode: 'E9' })).toThrow(NotFound);
    expect(() => visibilityOf(scope({ activeEntity: 'E1' }), { entityCode: 'E2' })).toThrow(NotFound);
  });
  it('areas of several entities need a focus or an entity in the request', async () => {
    const needing = scope({ entities: [], needsFocus: true });
    expect(() => visibilityOf(needing)).toThrow(InvalidContext);
    expect(() => entityOf(needing)).toThrow(InvalidContext);
    const reached = visibilityOfRequest(needing, { entityCode: 'E1' }, () => Promise.resolve(['L1']));
    expect(await reached).toMatchObject({ entities: ['E1'], locationRoots: ['L1'], locationCode: null });
  });
  it('a request beside the focus sees what its caller reaches there', async () => {
    const focused = scope({ activeEntity: 'E1', locationRoots: ['L1'] });
    const reachIn = (code: string) => (code === 'E2' ? Promise.resolve(null) : Promise.reject(new NotFound()));
    const asked = (entityCode: string) => visibilityOfRequest(focused, { entityCode, locationCode: 'L7' }, reachIn);
    expect(await asked('E1')).toMatchObject({ entities: ['E1'], locationRoots: ['L1'], locationCode: 'L7' });
    expect(await asked('E2')).toMatchObject({ entities: ['E2'], locationRoots: null, locationCode: 'L7' });
    await expect(asked('E9')).rejects.toThrow(NotFound);
    const stale = visibilityOfRequest(scope({ focusIsStale: true }), { entityCode: 'E2' }, reachIn);
    await expect(stale).rejects.toThrow(ContextConflict);
  });
  it('a stale focus or missing folders refuse visibility', () => {
    expect(() => visibilityOf(scope({ focusIsStale: true }))).toThrow(ContextConflict);
    expect(() => entityOf(scope({ focusIsStale: true, entities: ['E1'] }))).toThrow(ContextConflict);
    const incomplete = scope({ locationRoots: [], locationRootsHash: 'f'.repeat(64) });
    expect(() => visibilityOf(incomplete)).toThrow(/fetched/);
    const complete = incomplete.completedWith(['L1', 'L2']);
    expect(visibilityOf(complete).locationRoots).toEqual(['L1', 'L2']);
    expect(complete.token).toBe('secret-token');
  });
  it('a request uses the named, the focused or the only entity', () => {
    expect(entityOf(scope(), 'E2')).toBe('E2');
    expect(entityOf(scope({ activeEntity: 'E1' }))).toBe('E1');
    expect(entityOf(scope({ entities: ['E1'] }))).toBe('E1');
    expect(() => entityOf(scope())).toThrow(InvalidContext);
    expect(() => entityOf(scope({ entities: [] }))).toThrow(InvalidContext);
    expect(() => entityOf(scope({ activeEntity: 'E1' }), 'E2')).toThrow(NotFound);
  });
  it('many folders are looked up by name, not compared one by one', () => {
    const roots = Array.from({ length: 5_000 }, (_, index) => `L${index}`);
    const { sql, params } = visibilitySql(visibilityOf(scope({ locationRoots: roots })), 'd');
    expect(sql).toContain('$3::jsonb ?| d.location_ancestors');
    expect(Object.keys(JSON.parse(String(params[2])) as object)).toEqual(roots);
  });
  it('visibility becomes one predicate with ordered parameters', () => {
    const predicate = visibilitySql(visibilityOf(scope({ locationRoots: ['L1'] }), { locationCode: 'L7' }), 'd', 3);
    expect(predicate.sql).toBe(
      'd.group_id = $3::uuid and d.entity_code = any($4::text[]) and d.location_ancestors && $5::text[] and d.location_ancestors @> array[$6::text]',
    );
    expect(predicate.params).toEqual([scope().groupId, ['E1', 'E2'], ['L1'], 'L7']);
  });
  it('a caller without an area is compared by group and entity alone', () => {
    const { sql, params } = visibilitySql(visibilityOf(scope()), 'd');
    expect(sql).toBe('d.group_id = $1::uuid and d.entity_code = any($2::text[])');
    expect(params).toEqual([scope().groupId, ['E1', 'E2']]);
  });
  it.each([
    [16, '&& $3::text[]'],
    [17, '$3::jsonb ?|'],
  ])('%p folders of an area are compared by %p', (count, operator) => {
    const roots = Array.from({ length: count }, (_, index) => `L${index}`);
    expect(visibilitySql(visibilityOf(scope({ locationRoots: roots })), 'd').sql).toContain(operator);
  });
  it('visibility reports whether it narrows below the group', () => {
    expect(isRestricting(visibilityOf(scope({ locationRoots: ['L'] })), ['E1', 'E2'])).toBe(true);
    expect(isRestricting(visibilityOf(scope()), ['E1', 'E2'])).toBe(false);
    expect(isRestricting(visibilityOf(scope()), ['E1', 'E2', 'E3'])).toBe(true);
    expect(isRestricting(visibilityOf(scope(), { locationCode: 'L' }), ['E1', 'E2'])).toBe(true);
  });
});

describe('a requirement', () => {
  it.each([
    ['any of its screens', ['DOCS_DASHBOARD'], true],
    ['none of its screens', ['WORKSPACES'], false],
    ['no screen', [], false],
  ])('a requirement is checked for a caller with %s', (_case, functions, reached) => {
    expect(reaches({ functions, profile: 'USUARIO' }, readsDocuments)).toBe(reached);
  });
  it.each([
    ['readers of documents', readsDocuments, ['DOCUMENTS', 'DOCS_DASHBOARD', 'PROCESS_DOCUMENTS']],
    [
      'readers of one document',
      readsOneDocument,
      ['DOCUMENTS', 'DOCS_DASHBOARD', 'PROCESS_DOCUMENTS', 'CHAT-USER', 'CHAT-FINAL-USER'],
    ],
    ['followers of the work', followsIngestion, ['PROCESS_DOCUMENTS', 'PROCESS_PIPELINE']],
    ['people who ask', searches, ['CHAT-USER', 'CHAT-FINAL-USER', 'DOCUMENTS']],
  ])('%s have one of their screens, whatever their level', (_who, requirement, screens) => {
    const mayWith = (screen: string): boolean => reaches({ functions: [screen], profile: 'USUARIO' }, requirement);
    for (const screen of screens) expect([screen, mayWith(screen)]).toEqual([screen, true]);
    expect(mayWith('WORKSPACES')).toBe(false);
    expect(reaches({ functions: [], profile: 'SISTEMA' }, requirement)).toBe(false);
  });
  it.each([
    ['nobody', requirements.nobody],
    ['credential', requirements.credential],
    ['session', requirements.session],
  ])('a requirement of kind %s asks for no screen', (kind, requirement) => {
    expect(requirement.kind).toBe(kind);
    expect(reaches({ functions: [], profile: 'USUARIO' }, requirement)).toBe(true);
  });
  it.each<[Profile, string[], boolean, boolean]>([
    ['USUARIO', ['MANAGE_USERS'], false, false],
    ['ADMINISTRADOR', ['MANAGE_USERS'], true, false],
    ['ADMINISTRADOR', ['DOCUMENTS'], false, false],
    ['SISTEMA', [], true, true],
  ])('a level requirement is checked for %s with %j', (profile, functions, administers, isSystem) => {
    expect(reaches({ functions, profile }, requirements.administrators('MANAGE_USERS'))).toBe(administers);
    expect(reaches({ functions, profile }, requirements.system)).toBe(isSystem);
  });
  it('the requirement of a route overrides that of its controller', () => {
    @Requires(readsDocuments)
    class Controller {
      @Requires(requirements.credential) open(): void {}
      closed(): void {}
    }
    class Undeclared {
      route(): void {}
    }
    expect(requirementOf(Controller.prototype.open, Controller)).toBe(requirements.credential);
    expect(requirementOf(Controller.prototype.closed, Controller)).toBe(readsDocuments);
    expect(requirementOf(Undeclared.prototype.route, Undeclared)).toBeUndefined();
  });
});
