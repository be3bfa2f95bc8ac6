import { listDocuments, listUsers, NotFound, ScopeClaims } from '@acervo/contracts';
import { Scope } from '@acervo/rbac';
import { OperationCatalogue } from './operation-catalogue';

const scope = (over: Partial<ScopeClaims> = {}): Scope =>
  new Scope(Object.assign(new ScopeClaims(), { functions: ['DOCUMENTS'], profile: 'USUARIO', ...over }), 'token');

describe('the catalogue of operations', () => {
  it.each<[string, Partial<ScopeClaims>, boolean]>([
    ['a screen and the level', {}, true],
    ['another screen', { functions: ['WORKSPACES'] }, false],
    ['no screen', { functions: [] }, false],
    ['the level of SYSTEM', { functions: [], profile: 'SISTEMA' }, true],
  ])('an operation is visible to a caller with %s: %p', (_what, claims, seen) => {
    const catalogue = new OperationCatalogue([listDocuments]);
    expect(catalogue.reachable(scope(claims))).toEqual(seen ? [listDocuments] : []);
    if (!seen) expect(() => catalogue.find(scope(claims), listDocuments.code)).toThrow(NotFound);
  });
  it('callers below the level of an operation do not see it', () => {
    const catalogue = new OperationCatalogue([listUsers]);
    const caller = { functions: ['MANAGE_USERS'] };
    expect(() => catalogue.find(scope(caller), listUsers.code)).toThrow(NotFound);
    expect(catalogue.find(scope({ ...caller, profile: 'ADMINISTRADOR' }), listUsers.code).operation).toBe(listUsers);
  });
  it('the summary of an operation describes its input', () => {
    const { inputSchema } = new OperationCatalogue([listUsers]).find(scope({ profile: 'SISTEMA' }), listUsers.code);
    expect(inputSchema).toMatchObject({ description: listUsers.summary, additionalProperties: false });
  });
});
