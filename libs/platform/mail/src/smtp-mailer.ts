import { createTransport, type Transporter } from 'nodemailer';
import { type Mail, Mailer } from './mailer';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Whether the server must offer STARTTLS: without it an attacker on the way removes the offer and reads links and
 * password. Not on this machine, nor where the address says otherwise (`?requireTLS=false`).
 */
const mustEncrypt = (address: string): boolean => {
  const { protocol, hostname, searchParams } = new URL(address);
  return protocol === 'smtp:' && !LOOPBACK.test(hostname) && !searchParams.has('requireTLS');
};

/** Sends mails to an SMTP server over kept connections. */
export class SmtpMailer extends Mailer {
  private readonly transport: Transporter;

  constructor(
    url: string,
    private readonly from: string,
  ) {
    super();
    const tls = mustEncrypt(url) ? { requireTLS: true } : {};
    this.transport = createTransport({ url, pool: true, maxConnections: 2, socketTimeout: 20_000, ...tls });
  }

  override async send({ to, subject, text }: Mail): Promise<void> {
    // An object, so that an address with commas or names in it stays one address.
    await this.transport.sendMail({ from: this.from, to: { name: '', address: to }, subject, text });
  }

  override close(): void {
    this.transport.close();
  }
}
