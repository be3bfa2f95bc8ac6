import { ScopeClaims } from '@acervo/contracts';
import { VersionedSecret } from '@acervo/platform-config';
import { Scope } from '@acervo/rbac';
import { type Previewed, PreviewOutdated, PreviewTokens } from './preview-tokens';

const scope = (over: Partial<ScopeClaims> = {}): Scope =>
  new Scope(
    Object.assign(new ScopeClaims(), {
      ...{ groupId: 'g', userId: 'u', credentialId: 'c', activeEntity: null, effectiveArea: null },
      ...over,
    }),
    'token',
  );
const keys = new VersionedSecret('1:a secret of some length,2:another one of some length', 'TEST');
const previewed = (over: Partial<Previewed> = {}): Previewed => ({
  ...{ scope: scope(), code: 'users.delete', input: { code: 'a@b', deep: { x: 1, y: 2 } }, counts: { total: 3 } },
  ...over,
});

describe('the token of a preview', () => {
  const NOW = 1_000_000;
  const tokens = new PreviewTokens(keys);
  beforeEach(() => jest.useFakeTimers({ now: NOW }));
  afterEach(() => jest.useRealTimers());

  it('a token is valid for its preview in any order of names', () => {
    const token = tokens.issue(previewed());
    const reordered = { deep: { y: 2, x: 1 }, code: 'a@b' };
    expect(() => tokens.check(token, previewed({ input: reordered }))).not.toThrow();
  });
  it.each<[string, Partial<Previewed>]>([
    ['another count', { counts: { total: 4 } }],
    ['another input', { input: { code: 'c@d' } }],
    ['another operation', { code: 'areas.delete' }],
    ['another user', { scope: scope({ userId: 'v' }) }],
    ['another group', { scope: scope({ groupId: 'h' }) }],
    ['another focus', { scope: scope({ activeEntity: 'E1' }) }],
  ])('a token is invalid for %s', (_what, over) => {
    const token = tokens.issue(previewed());
    expect(() => tokens.check(token, previewed(over))).toThrow(PreviewOutdated);
  });
  it('a token is valid for ten minutes', () => {
    const token = tokens.issue(previewed());
    jest.setSystemTime(NOW + 600_000);
    expect(() => tokens.check(token, previewed())).not.toThrow();
    jest.setSystemTime(NOW + 600_001);
    expect(() => tokens.check(token, previewed())).toThrow(PreviewOutdated);
  });
  it('a forged or extended token is refused', () => {
    const token = tokens.issue(previewed());
    const [version, until, signature] = token.split('.');
    const changed = [`${version}.${Number(until) + 1}.${signature}`, `9.${until}.${signature}`];
    for (const forged of [...changed, `1${token}`, `x${token}`, `${token}x`, 'x', ''])
      expect(() => tokens.check(forged, previewed())).toThrow(PreviewOutdated);
    expect(() => tokens.check('x', previewed())).toThrow(/request another one/);
  });
  it('a token is signed for its purpose, by a key of any version', () => {
    const purposes: string[] = [];
    class Watched extends VersionedSecret {
      override derive(purpose: string, version?: number): Buffer {
        purposes.push(purpose);
        return super.derive(purpose, version);
      }
    }
    const later = new PreviewTokens(new Watched('12:another one of some length', 'TEST'));
    const token = later.issue(previewed());
    expect(token).toMatch(/^12\./);
    expect(() => later.check(token, previewed())).not.toThrow();
    expect(new Set(purposes)).toEqual(new Set(['operation previews']));
  });
  it('a token of an older key is valid while the key remains', () => {
    const old = new PreviewTokens(new VersionedSecret('1:a secret of some length', 'TEST'));
    expect(() => tokens.check(old.issue(previewed()), previewed())).not.toThrow();
  });
});
