import argon2 from '@node-rs/argon2';
import { PasswordHasher } from './password-hasher';

describe('comparisons of passwords', () => {
  afterEach(() => jest.restoreAllMocks());

  it('an address with many waiting comparisons lets another one in', async () => {
    const compare = jest.spyOn(argon2, 'verify');
    const hasher = new PasswordHasher();
    const flood = Array.from({ length: 20 }, () => hasher.matches('one of many', null, '192.0.2.1'));
    await Promise.all([...flood, hasher.matches('the other', null, '192.0.2.2')]);
    const begun = compare.mock.calls.map(([, password]) => password);
    expect(begun).toHaveLength(21);
    // Two comparisons run when it arrives, and it is admitted with one of the next two.
    expect(begun.indexOf('the other')).toBeLessThan(4);
  });
});
