import { Forbidden, listDocuments, listUsers, type Screen, ScopeClaims } from '@acervo/contracts';
import type { Profile } from '@acervo/public-mapping';
import {
  anonymous,
  type AnyScope,
  assertWithinReach,
  executorsOf,
  followsIngestion,
  mayExecute,
  readsDocuments,
  requirementOfOperation,
  requirements,
  Scope,
  WorkScope,
} from './index';

const caller = (profile: Profile, ...functions: Screen[]): ScopeClaims =>
  Object.assign(new ScopeClaims(), { profile, functions });

describe('the rights of an operation', () => {
  it.each([
    ['its level and one of its screens', caller('ADMINISTRADOR', 'SESSION', 'MANAGE_USERS'), true],
    ['its screen below its level', caller('USUARIO', 'MANAGE_USERS'), false],
    ['its level and other screens', caller('ADMINISTRADOR', 'DOCUMENTS'), false],
    ['the level of SYSTEM alone', caller('SISTEMA'), false],
    ['the level of SYSTEM and one of its screens', caller('SISTEMA', 'MANAGE_USERS'), true],
  ])('a caller with %s executes it: %p', (_what, claims, may) => {
    expect(mayExecute(claims, listUsers)).toBe(may);
  });
  it('the route of an operation requires one of its screens', () => {
    expect(requirementOfOperation(listDocuments)).toEqual({ kind: 'screens', anyOf: [...listDocuments.screens] });
  });
  it.each([
    ['readers of documents', readsDocuments, ['DOCS_DASHBOARD', 'DOCUMENTS', 'PROCESS_DOCUMENTS']],
    ['followers of the work', followsIngestion, ['PROCESS_DOCUMENTS', 'PROCESS_PIPELINE']],
  ])('%s need one of the screens of the operation', (_who, requirement, anyOf) => {
    expect(requirement).toEqual({ kind: 'screens', anyOf });
  });
  it('executors of an operation have its level and one of its screens', () => {
    expect(executorsOf(listUsers)).toEqual(requirements.administrators('MANAGE_USERS'));
  });
});

describe('the reach of a fixed key', () => {
  const user = (isFixed: boolean): Scope => new Scope(Object.assign(new ScopeClaims(), { isFixed }), 'token');
  const work = new WorkScope('group', 'ingestion', 'run');

  it('a key that is fixed to a part does not reach its whole group', () => {
    const attempt = (): void => assertWithinReach(user(true), { reach: 'group' });
    expect(attempt).toThrow(Forbidden);
    expect(attempt).toThrow(/a key that is not fixed/);
  });
  it.each<[string, AnyScope, 'group' | 'part']>([
    ['a fixed key on a part', user(true), 'part'],
    ['a free key on the group', user(false), 'group'],
    ['work on the group', work, 'group'],
    ['a request without a user on the group', anonymous, 'group'],
  ])('%s is within reach', (_what, scope, reach) => {
    expect(() => assertWithinReach(scope, { reach })).not.toThrow();
  });
});
