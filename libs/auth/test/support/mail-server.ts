import { SMTPServer } from 'smtp-server';
import { eventually } from '@acervo/platform-testing';

export interface Received {
  readonly to: string;
  readonly text: string;
}

/** A mail server that stores received mails. */
export class MailServer {
  readonly received: Received[] = [];
  private readonly slow = new Set<string>();
  private readonly waiting: (() => void)[] = [];
  private readonly server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, session, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address).join(',');
        // Quoted-printable folds long lines; undoing it restores the links.
        const text = Buffer.concat(parts).toString().replaceAll('=\r\n', '').replaceAll('=3D', '=');
        this.received.push({ to, text });
        if (!this.slow.has(to)) return done();
        this.slow.delete(to);
        this.waiting.push(done);
      });
    },
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', () => resolve()));
    const address = this.server.server.address();
    return `smtp://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  }

  /** Leaves the next mail to an address unanswered; the returned function answers it. */
  slowDown(to: string): () => void {
    this.slow.add(to);
    return () => this.waiting.splice(0).forEach((done) => done());
  }

  /** The next mail to an address. */
  mail(to: string): Promise<Received> {
    return eventually(`a mail to ${to}`, () => {
      const index = this.received.findIndex((one) => one.to === to);
      return index < 0 ? undefined : this.received.splice(index, 1)[0];
    });
  }

  /** The address and the token of the link in the next mail to an address. */
  async link(to: string): Promise<{ readonly page: string; readonly token: string }> {
    const [, page = '', token = ''] = /(http:\S+)#(\w+)/.exec((await this.mail(to)).text) ?? [];
    return { page, token };
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}
