import { allOperations, call, Empty, NotFound, type Operation, publish, ScopeClaims } from '@acervo/contracts';
import { type OperationRow, operationRows, Scope } from '@acervo/rbac';
import { Catalogue } from './catalogue';
import { pendingOperations } from './pending';

const row = (over: Partial<OperationRow> = {}): OperationRow => ({
  ...{ code: 'things.list', kind: 'read', profile: 'USUARIO', screens: ['DOCUMENTS'] },
  ...over,
});
const asked = { owner: 'operations', scope: 'user', callers: ['operations'], input: Empty, output: Empty } as const;
const [list, remove, count, closed] = [
  call({ ...asked, code: 'things.list', effect: 'read' }),
  call({ ...asked, code: 'things.delete', effect: 'write' }),
  call({ ...asked, code: 'things.preview_delete', effect: 'read' }),
  call({ ...asked, code: 'things.closed', effect: 'read', callers: ['gateway'] }),
];
const operation = (over: Partial<Operation> = {}): Operation =>
  ({ code: list.code, summary: 'Lists.', call: list, preview: null, ...over }) as Operation;

const scope = (over: Partial<ScopeClaims> = {}): Scope =>
  new Scope(Object.assign(new ScopeClaims(), { functions: ['DOCUMENTS'], profile: 'USUARIO', ...over }), 'token');

describe('the catalogue of operations', () => {
  it('holds every operation of the contract, published or pending', () => {
    expect(() => new Catalogue(allOperations(), operationRows, pendingOperations)).not.toThrow();
    expect(operationRows).toHaveLength(108);
  });
  it.each<[string, readonly Operation[], readonly OperationRow[], readonly string[], RegExp]>([
    ['one without a row', [operation()], [], [], /stands in no row/],
    ['a row that nobody knows of', [], [row()], [], /neither published nor pending/],
    ['one that is pending still', [operation()], [row()], ['things.list'], /pending no more/],
    ['a read whose call writes', [operation({ call: remove as never })], [row()], [], /is a read and its call a write/],
    ['one to confirm without a preview', [operation()], [row({ kind: 'write_confirm' })], [], /give it a preview/],
    ['a preview that nobody asks for', [operation({ preview: count as never })], [row()], [], /give it none/],
  ])('is not assembled with %s', (_what, operations, rows, pending, message) => {
    expect(() => new Catalogue(operations, rows, pending)).toThrow(message);
  });
  it('publishes no call that the executor may not send, none twice, and no preview that writes', () => {
    expect(() => publish(closed, { summary: 'No.' })).toThrow(/callers lack operations/);
    publish(count, { summary: 'Once.' });
    expect(() => publish(count, { summary: 'Twice.' })).toThrow(/published twice/);
    expect(() => publish(list, { summary: 'No.', preview: remove })).toThrow(/a preview and not a read/);
  });
  it.each<[string, Partial<ScopeClaims>, boolean]>([
    ['a screen and the level', {}, true],
    ['another screen', { functions: ['WORKSPACES'] }, false],
    ['no screen', { functions: [] }, false],
    ['the level of SYSTEM', { functions: [], profile: 'SISTEMA' }, true],
  ])('shows an operation to whoever holds %s: %p', (_what, claims, seen) => {
    const catalogue = new Catalogue([operation()], [row()], []);
    expect(catalogue.reachable(scope(claims))).toHaveLength(seen ? 1 : 0);
    if (!seen) expect(() => catalogue.find(scope(claims), 'things.list')).toThrow(NotFound);
  });
  it('hides what takes a higher level', () => {
    const catalogue = new Catalogue([operation()], [row({ profile: 'ADMINISTRADOR' })], []);
    expect(() => catalogue.find(scope(), 'things.list')).toThrow(NotFound);
    expect(catalogue.find(scope({ profile: 'ADMINISTRADOR' }), 'things.list').code).toBe('things.list');
  });
});
