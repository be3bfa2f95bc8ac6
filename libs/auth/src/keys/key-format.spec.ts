import fc from 'fast-check';
import { Peppers } from '../secrets/peppers';
import { formatKey, newKeyParts, parseKey } from './key-format';

describe('an API key', () => {
  it('an API key parses into the parts it was formatted from', () => {
    fc.assert(
      fc.property(fc.uuid(), (groupId) => {
        const parts = newKeyParts(groupId);
        expect(formatKey(parts)).toMatch(/^acv_1\w{34}_\w{33}$/);
        expect(parseKey(formatKey(parts))).toEqual(parts);
      }),
    );
  });
  it('a mistyped character at any position invalidates an API key', () => {
    const key = formatKey(newKeyParts('0198a1b2-0000-7000-8000-0123456789ab'));
    for (let index = 0; index < key.length; index += 1)
      for (const other of ['0', 'a', 'Z', '_', ' ']) {
        const typed = key.slice(0, index) + other + key.slice(index + 1);
        expect(parseKey(typed) === undefined).toBe(typed !== key);
      }
  });
});

describe('peppers', () => {
  it('the latest pepper hashes new secrets; earlier ones still match', () => {
    const [old, both] = [new Peppers('1:the first of them'), new Peppers('1:the first of them,2:the second of them')];
    const hash = old.hash('secret');
    expect([
      both.version,
      both.matches('secret', hash, 1),
      both.matches('secret', hash, 2),
      both.matches('other', hash, 1),
    ]).toEqual([2, true, false, false]);
  });
  it('a pepper that is added before it is current only matches', () => {
    const both = '1:the first of them,2:the second of them';
    const [added, promoted] = [new Peppers(both, 1), new Peppers(both, 2)];
    expect(added.version).toBe(1);
    expect(added.matches('secret', promoted.hash('secret'), promoted.version)).toBe(true);
    expect(promoted.matches('secret', added.hash('secret'), added.version)).toBe(true);
  });
  it('a current pepper without a secret is refused', () => {
    expect(() => new Peppers('1:the first of them', 2)).toThrow(
      'ACERVO_KEY_PEPPER_CURRENT is 2; ACERVO_KEY_PEPPER has 1.',
    );
  });
  it('a pepper that is too short is refused', () => {
    expect(() => new Peppers('')).toThrow(/at least 16 characters/);
  });
});
