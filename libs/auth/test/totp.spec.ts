import { Peppers, Seal } from '../src';
import type { StoredFactor } from '../src/factors/factor.store';
import { Totp } from '../src/factors/totp';
import { AuthenticatorApp } from './support/authenticator-app';

describe('the secret of a factor', () => {
  const app = new AuthenticatorApp();
  afterEach(() => jest.restoreAllMocks());

  it('a secret that was copied to another user proves nothing', async () => {
    app.stopClock();
    const totp = new Totp(new Seal(new Peppers('a pepper of the test'), 'totp'));
    const { sealed, setup } = await totp.setUp('group/ana', 'ana@example.test');
    const proved = (owner: string): Promise<unknown> =>
      totp.prove({ ...factor, owner, secret: sealed }, { code: app.codeOf(setup.secret, 0) });
    expect(await proved('group/ana')).toBeDefined();
    await expect(proved('group/eva')).rejects.toThrow();
  });

  const factor: StoredFactor = {
    ...{ factorId: '', owner: '', kind: 'totp', verified: true, secret: null },
    ...{ credentialId: null, publicKey: null, signCount: 0 },
  };
});
