import { bootTogether } from './in-process';

describe('services of one process', () => {
  it('services boot side by side and keep their order', async () => {
    const begun: string[] = [];
    let release = (): void => undefined;
    const bothBegun = new Promise<void>((resolve) => (release = resolve));
    const boot = (name: string) => async () => {
      if (begun.push(name) === 2) release();
      await bothBegun;
      return { name, close: () => Promise.resolve() };
    };
    const booted = await bootTogether([boot('auth'), boot('gateway')]);
    expect(booted.map(({ name }) => name)).toEqual(['auth', 'gateway']);
  });

  it('a service that cannot boot closes the others, and its error is thrown', async () => {
    const closed: string[] = [];
    const boot = (name: string) => () => Promise.resolve({ close: () => Promise.resolve(void closed.push(name)) });
    const refused = () => Promise.reject(new Error('add a handler'));
    await expect(bootTogether([boot('auth'), refused, boot('gateway')])).rejects.toThrow('add a handler');
    expect(closed).toEqual(['gateway', 'auth']);
  });
});
