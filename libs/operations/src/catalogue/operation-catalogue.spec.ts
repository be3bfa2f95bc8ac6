import { allOperations, listDocuments, listUsers, NotFound, ScopeClaims } from '@acervo/contracts';
import { Scope, WorkScope } from '@acervo/rbac';
import { OperationCatalogue } from './operation-catalogue';
import { OperationCatalogueHandlers } from './operation-catalogue.handlers';

const scope = (over: Partial<ScopeClaims> = {}): Scope =>
  new Scope(Object.assign(new ScopeClaims(), { functions: ['DOCUMENTS'], profile: 'USUARIO', ...over }), 'token');

describe('the catalogue of operations', () => {
  it.each<[string, Partial<ScopeClaims>, boolean]>([
    ['a screen and the level', {}, true],
    ['another screen', { functions: ['WORKSPACES'] }, false],
    ['no screen', { functions: [] }, false],
    ['the level of SYSTEM', { functions: [], profile: 'SISTEMA' }, false],
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
    const { inputSchema } = new OperationCatalogue([listUsers]).find(
      scope({ functions: ['MANAGE_USERS'], profile: 'SISTEMA' }),
      listUsers.code,
    );
    expect(inputSchema).toMatchObject({ description: listUsers.summary, additionalProperties: false });
  });
  it('work of another service sees every published operation with its screens', async () => {
    const handlers = new OperationCatalogueHandlers(new OperationCatalogue());
    const { operations } = await handlers.listPublished(new WorkScope('group', 'auth', 'test'), {});
    expect(operations.map(({ code }) => code)).toEqual(allOperations().map(({ code }) => code));
    expect(operations.find(({ code }) => code === listUsers.code)?.functions).toEqual(['MANAGE_USERS']);
  });
});
