import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { leaksIn, LogWatch } from './log-scan';
import { temporary } from './program';
import { formsOf, KnownSecrets, SecretFinder } from './secrets';

const SECRET = 'una clave que nadie adivina 7';
const KEY = `acv_1${'A'.repeat(22)}${'b'.repeat(12)}_${'Zx9'.repeat(9)}abcdef`;
const line = (fields: object): string =>
  JSON.stringify({ level: 40, service: 'auth', msg: 'mail was not sent', ...fields });
const finder = new SecretFinder([
  { kind: 'password', value: SECRET },
  { kind: 'API key', value: KEY },
]);

/** Every suite that starts the program has its logs scanned; these tests prove that the scan works. */
describe('the scan of logs', () => {
  it.each<[string, string]>([
    ['as it is', SECRET],
    ['in base64', Buffer.from(SECRET).toString('base64')],
    ['within base64, one byte later', Buffer.from(`x${SECRET}y`).toString('base64')],
    ['within base64, two bytes later', Buffer.from(`xx${SECRET}yyy`).toString('base64')],
    ['in base64 of URLs', Buffer.from(`xx${SECRET}`).toString('base64url')],
    ['in hexadecimal', Buffer.from(SECRET).toString('hex')],
    ['in capital hexadecimal', Buffer.from(SECRET).toString('hex').toUpperCase()],
    ['the secret of a key without the rest', KEY.slice(40, 67)],
  ])('a secret is found %s', (_form, value) => {
    const text = [line({}), line({ reason: `before ${value} after` }), line({})].join('\n');
    const [leak, ...others] = leaksIn(text, finder);
    expect(leak).toMatch(/^(password|API key) in "auth: mail was not sent"$/);
    expect(others).toEqual([]);
    expect(leak).not.toContain(value);
  });

  it.each<[string, string]>([
    ['an API key', KEY],
    ['a token', `acr_${'a'.repeat(44)}_${'b'.repeat(27)}`],
    ['a signed token', `eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0ab.c2lnbmF0dXJlc2ln`],
    ['a private key', '-----BEGIN PRIVATE KEY-----'],
    ['the secret of a factor', 'otpauth://totp/Acervo'],
    ['an email address', 'ana@example.test'],
  ])('a line with %s is found by its form alone', (kind, value) => {
    expect(leaksIn(line({ value }), new SecretFinder([]))).toEqual([`${kind} in "auth: mail was not sent"`]);
  });

  it('the text of a document is found', () => {
    const phrase = 'El consejo aprueba la cuota de riego.';
    expect(leaksIn(line({ error: `near "${phrase}"` }), finder, [phrase])).toEqual([
      'text of a document in "auth: mail was not sent"',
    ]);
  });

  it('a log without secrets is clean', () => {
    const text = line({ account: 'Zk3hash', requestId: 'a-b', stack: 'at node_modules/@nestjs/core/router.js:3' });
    expect(leaksIn(text, finder, ['El consejo aprueba la cuota'])).toEqual([]);
  });
});

describe('the secrets of a suite', () => {
  it('bodies and settings name their secrets', () => {
    const secrets = new KnownSecrets();
    secrets.addFrom(JSON.stringify({ email: 'a', password: SECRET, totp: { secret: 'JBSWY3DPEHPK3PXP' } }));
    secrets.addFrom(JSON.stringify({ access_token: 'a.long.token', name: 'no secret at all' }));
    secrets.addSettings({ ACERVO_KEY_PEPPER: '1:older pepper,2:newer pepper', ACERVO_KEY_FILE: '/etc/key', PORT: '1' });
    const values = [SECRET, 'JBSWY3DPEHPK3PXP', 'a.long.token', 'older pepper', 'newer pepper'];
    expect(secrets.all.map(({ value }) => value)).toEqual(values);
    expect(formsOf('abcdefgh').length).toBeGreaterThan(4);
  });

  it('a planted line fails the suite that started the program', () => {
    const place = temporary();
    const write = (name: string, text: string): void => {
      mkdirSync(join(place.path, name, '..'), { recursive: true });
      writeFileSync(join(place.path, name), text);
    };
    try {
      write('secrets.json', JSON.stringify({ keyPepper: 'a generated pepper' }));
      write('mail/one.txt', 'To: a\n\nhttp://localhost/auth/establecer-clave#a-token-of-a-mail\n');
      write('logs/acervo.log', `${line({})}\n`);
      const watch = new LogWatch(true);
      watch.open(place.path, { ACERVO_SMTP_PASSWORD: 'a password of mail' });
      watch.addDocument('El consejo aprueba la cuota de riego.');
      expect(() => watch.assertClean()).not.toThrow();
      const planted = [
        'a generated pepper',
        'a-token-of-a-mail',
        'a password of mail',
        'El consejo aprueba la cuota de riego.',
      ];
      for (const value of planted) {
        const watched = new LogWatch(true);
        watched.open(place.path, { ACERVO_SMTP_PASSWORD: 'a password of mail' });
        watched.addDocument('El consejo aprueba la cuota de riego.');
        write('logs/acervo.log', `${line({})}\n${line({ msg: 'planted', value })}\n`);
        expect(() => watched.assertClean()).toThrow(/^Logs contain secrets:\n[^\n]+ in "auth: planted"$/);
      }
    } finally {
      place.remove();
    }
  });
});
