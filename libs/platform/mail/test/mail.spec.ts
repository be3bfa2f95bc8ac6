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

  describe('through a server without encryption', () => {
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
    let port = 0;
    beforeAll(async () => {
      await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', () => resolve()));
      const address = server.server.address();
      port = typeof address === 'object' && address !== null ? address.port : 0;
    });
    beforeEach(() => (received.length = 0));
    afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));

    const sendTo = async (host: string): Promise<void> => {
      const mailer = new SmtpMailer(`smtp://${host.replace('PORT', String(port))}`, 'Acervo <acervo@example.test>');
      await mailer.send(mail).finally(() => mailer.close());
    };

    it('mail reaches exactly one address of this machine, in any spelling', async () => {
      await sendTo('127.0.0.1:PORT');
      expect(received).toEqual(['ana@example.test']);
    });
    it('a host that is not loopback gets no mail', async () => {
      await expect(sendTo('0.0.0.0:PORT')).rejects.toThrow(/STARTTLS/);
      expect(received).toEqual([]);
    });
    it('an address that renounces encryption gets its mail', async () => {
      await sendTo('0.0.0.0:PORT/?requireTLS=false');
      expect(received).toEqual(['ana@example.test']);
    });
  });
});
