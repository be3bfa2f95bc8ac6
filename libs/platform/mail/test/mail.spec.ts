import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { silent } from '@acervo/platform-testing';
import { FileMailer, type Mail } from '../src';
import { SmtpMailer } from '../src/smtp-mailer';

const mail: Mail = { to: 'ana@example.test', subject: 'Contraseña', text: 'Un enlace: http://example.test/#abc' };

describe('mail', () => {
  it('mail without a server is a file readable by its owner', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'acervo-mail-'));
    await new FileMailer(directory, silent).send(mail);
    const [name = ''] = readdirSync(directory);
    expect(readFileSync(join(directory, name), 'utf8')).toContain('http://example.test/#abc');
    expect(statSync(join(directory, name)).mode & 0o077).toBe(0);
    rmSync(directory, { recursive: true });
  });

  it('mail reaches exactly one address, in any spelling', async () => {
    const received: string[] = [];
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      onRcptTo: ({ address }, _session, done) => done(void received.push(address)),
      onData: (stream, _session, done) => {
        stream.on('data', () => undefined);
        stream.on('end', () => done());
      },
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    const address = server.server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const mailer = new SmtpMailer(`smtp://127.0.0.1:${port}`, 'Acervo <acervo@example.test>');
    await mailer.send(mail);
    expect(received).toEqual(['ana@example.test']);
    mailer.close();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
});
