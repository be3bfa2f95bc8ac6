import fc from 'fast-check';
import { Peppers } from './key-hash';
import { formatKey, newKeyParts, parseKey } from './key-format';

describe('an API key', () => {
  it('gives back the parts that it was made of', () => {
    fc.assert(
      fc.property(fc.uuid(), (groupId) => {
        const parts = newKeyParts(groupId);
        expect(formatKey(parts)).toMatch(/^acv_1\w{34}_\w{33}$/);
        expect(parseKey(formatKey(parts))).toEqual(parts);
      }),
    );
  });
  it('is recognised as mistyped at every single character', () => {
    const key = formatKey(newKeyParts('0198a1b2-0000-7000-8000-0123456789ab'));
    for (let index = 0; index < key.length; index += 1)
      for (const other of ['0', 'a', 'Z', '_', ' ']) {
        const typed = key.slice(0, index) + other + key.slice(index + 1);
        expect(parseKey(typed) === undefined).toBe(typed !== key);
      }
  });
});

describe('peppers', () => {
  it('hash new secrets with the latest and still know the earlier ones', () => {
    const [old, both] = [new Peppers('1:the first of them'), new Peppers('1:the first of them,2:the second of them')];
    const hash = old.hash('secret');
    expect([
      both.version,
      both.matches('secret', hash, 1),
      both.matches('secret', hash, 2),
      both.matches('other', hash, 1),
    ]).toEqual([2, true, false, false]);
  });
  it('are not accepted when they are too short to help', () => {
    expect(() => new Peppers('')).toThrow(/at least 16 characters/);
  });
});
