import { PasswordHasher } from './password-hasher';

describe('comparisons of passwords', () => {
  it('an address with many waiting comparisons lets another one in', async () => {
    const hasher = new PasswordHasher();
    const order: string[] = [];
    const compare = async (network: string): Promise<void> => {
      await hasher.matches('una clave', null, network);
      order.push(network);
    };
    const flood = Array.from({ length: 20 }, () => compare('192.0.2.1'));
    await Promise.all([...flood, compare('192.0.2.2')]);
    expect(order).toHaveLength(21);
    // Two comparisons run when it arrives, and it is admitted with one of the next two.
    expect(order.indexOf('192.0.2.2')).toBeLessThan(6);
  });
});
