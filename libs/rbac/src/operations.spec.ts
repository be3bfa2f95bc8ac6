import { listDocuments, listUsers, type Screen, ScopeClaims } from '@acervo/contracts';
import type { Profile } from '@acervo/public-mapping';
import { mayExecute, requirementOfOperation } from './index';

const caller = (profile: Profile, ...functions: Screen[]): ScopeClaims =>
  Object.assign(new ScopeClaims(), { profile, functions });

describe('the rights of an operation', () => {
  it.each([
    ['its level and one of its screens', caller('ADMINISTRADOR', 'SESSION', 'MANAGE_USERS'), true],
    ['its screen below its level', caller('USUARIO', 'MANAGE_USERS'), false],
    ['its level and other screens', caller('ADMINISTRADOR', 'DOCUMENTS'), false],
    ['the level of SYSTEM alone', caller('SISTEMA'), true],
  ])('a caller with %s executes it: %p', (_what, claims, may) => {
    expect(mayExecute(claims, listUsers)).toBe(may);
  });
  it('the route of an operation requires one of its screens', () => {
    expect(requirementOfOperation(listDocuments)).toEqual({ kind: 'screens', anyOf: [...listDocuments.screens] });
  });
});
