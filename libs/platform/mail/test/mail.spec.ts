import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { silent } from '@acervo/platform-testing';
import { FileMailer, type Mail, Mailer, Post, SmtpMailer } from '../src';

const mail: Mail = { to: 'ana@example.test', subject: 'Contraseña', text: 'Un enlace: http://example.test/#abc' };

class Flaky extends Mailer {
  readonly sent: Mail[] = [];
  constructor(private failures: number) {
    super();
  }
  override send(one: Mail): Promise<void> {
    this.failures -= 1;
    if (this.failures >= 0) return Promise.reject(new Error('The server is away.'));
    this.sent.push(one);
    return Promise.resolve();
  }
  override close(): void {
    this.failures = 0;
  }
}

describe('mail', () => {
  it('is kept as a file that its owner alone reads, where there is no server', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'acervo-mail-'));
    await new FileMailer(directory, silent).send(mail);
    const [name = ''] = readdirSync(directory);
    expect(readFileSync(join(directory, name), 'utf8')).toContain('http://example.test/#abc');
    expect(statSync(join(directory, name)).mode & 0o077).toBe(0);
    rmSync(directory, { recursive: true });
  });

  it('reaches its one address at a server, whatever the address looks like', async () => {
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

  it('goes out after what it belongs to was answered, and is tried again when the server was away', async () => {
    const mailer = new Flaky(1);
    const post = new Post(mailer, silent);
    post.later(() => Promise.resolve(mail));
    expect(mailer.sent).toEqual([]);
    await post.settled();
    expect(mailer.sent).toEqual([mail]);
  });

  it('that cannot be made harms nobody, and closing waits for what is under way', async () => {
    const mailer = new Flaky(0);
    const post = new Post(mailer, silent);
    post.later(() => Promise.reject(new Error('There is no such person.')));
    post.later(() => Promise.resolve(undefined));
    post.later(() => Promise.resolve(mail));
    await post.close();
    expect(mailer.sent).toEqual([mail]);
  });
});
