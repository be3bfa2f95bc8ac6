import { createTransport, type Transporter } from 'nodemailer';
import { type Mail, Mailer } from './mailer';

/** Sends mails to an SMTP server over kept connections. */
export class SmtpMailer extends Mailer {
  private readonly transport: Transporter;

  constructor(
    url: string,
    private readonly from: string,
  ) {
    super();
    this.transport = createTransport({ url, pool: true, maxConnections: 2, socketTimeout: 20_000 });
  }

  override async send({ to, subject, text }: Mail): Promise<void> {
    // An object, so that an address with commas or names in it stays one address.
    await this.transport.sendMail({ from: this.from, to: { name: '', address: to }, subject, text });
  }

  override close(): void {
    this.transport.close();
  }
}
