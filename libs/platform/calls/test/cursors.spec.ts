import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { call, Code, InvalidMeaning, ScopeClaims } from '@acervo/contracts';
import { Scope } from '@acervo/rbac';
import { Cursors, type Listing, pageOf } from '../src';

class Codes {
  @Code({ description: 'A code' }) readonly code!: string;
}
const listing = (code: string) =>
  call({ code, owner: 'auth', effect: 'read', scope: 'user', callers: ['chat'], input: Codes, output: Codes });
const [one, other] = [listing('test.one'), listing('test.other')];
const keys = new Map([1, 2, 3].map((version) => [version, randomBytes(32)]));
const keysUpTo = (version: number, from = 1) => ({
  version,
  derive: (_purpose: string, of = version): Buffer => {
    const key = of >= from && of <= version ? keys.get(of) : undefined;
    if (key === undefined) throw new Error('No such version.');
    return key;
  },
});
const cursors = new Cursors(keysUpTo(2));
const scope = (groupId: string, credentialId: string): Scope =>
  new Scope(Object.assign(new ScopeClaims(), { groupId, credentialId }), 'token');

const lists = fc.record({
  call: fc.constantFrom(one, other),
  scope: fc.tuple(fc.constantFrom('g1', 'g2'), fc.constantFrom('k1', 'k2')).map((ids) => scope(...ids)),
  filters: fc.dictionary(fc.constantFrom('a', 'b'), fc.option(fc.string({ maxLength: 3 }), { nil: undefined })),
});
const same = (a: Listing, b: Listing): boolean =>
  a.call === b.call &&
  a.scope.groupId === b.scope.groupId &&
  a.scope.credentialId === b.scope.credentialId &&
  ['a', 'b'].every((name) => a.filters[name] === b.filters[name]);
const opens = (list: Listing, cursor: string): string | null | undefined => {
  try {
    return cursors.open(list, cursor);
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidMeaning);
    return undefined;
  }
};

describe('a cursor', () => {
  it('a cursor outlives the next key version, and ends with its own', () => {
    const list = { call: one, scope: scope('g1', 'k1'), filters: {} };
    const cursor = cursors.seal(list, 'A');
    expect(new Cursors(keysUpTo(3)).open(list, cursor)).toBe('A');
    expect(() => new Cursors(keysUpTo(3, 3)).open(list, cursor)).toThrow(InvalidMeaning);
    expect(() => new Cursors(keysUpTo(1)).open(list, cursor)).toThrow(InvalidMeaning);
  });

  it('a cursor opens only in its list, for its credential and filters', () => {
    fc.assert(
      fc.property(lists, lists, fc.string({ minLength: 1 }), (made, asked, code) => {
        const sealed = code.isWellFormed() ? code : 'x';
        expect(opens(asked, cursors.seal(made, sealed))).toBe(same(made, asked) ? sealed : undefined);
      }),
    );
  });
  it('an invented cursor is refused', () => {
    fc.assert(
      fc.property(lists, fc.string(), fc.nat(), (list, text, place) => {
        expect(opens(list, text)).toBeUndefined();
        const good = cursors.seal(list, 'A1');
        const at = place % good.length;
        const changed = good.slice(0, at) + (good[at] === 'A' ? 'B' : 'A') + good.slice(at + 1);
        expect(opens(list, changed)).toBeUndefined();
      }),
    );
  });
  it('a first page and the end of a list have no cursor', () => {
    expect(cursors.open({ call: one, scope: scope('g1', 'k1'), filters: {} }, undefined)).toBeNull();
    const rows = [{ code: 'a' }, { code: 'b' }, { code: 'c' }];
    expect(pageOf(rows, 2, (code) => `after ${code}`)).toEqual({ items: rows.slice(0, 2), nextCursor: 'after b' });
    expect(pageOf(rows, 3, (code) => `after ${code}`)).toEqual({ items: rows, nextCursor: null });
  });
});
