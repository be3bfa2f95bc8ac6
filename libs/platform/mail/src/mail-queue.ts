import { randomInt } from 'node:crypto';
import type { Logger } from '@acervo/platform-observability';
import { pause, retry } from '@acervo/platform-resilience';
import type { Mail, Mailer } from './mailer';

const LONGEST_DELAY_MS = 500;
/** Waits before the second and the third try. */
const PAUSES_MS = [2_000, 10_000];

/**
 * Sends mails after the answer of their request, so that the time of an answer does not reveal whether there was one.
 */
export class MailQueue {
  private readonly under = new Set<Promise<void>>();
  private closed = false;

  constructor(
    private readonly mailer: Mailer,
    private readonly logger: Logger,
  ) {}

  /** Runs work, mails included, after the current request has been answered; failures are logged. */
  enqueue(work: () => Promise<Mail | undefined>): void {
    const running: Promise<void> = this.run(work).finally(() => this.under.delete(running));
    this.under.add(running);
  }

  /** Waits for the mails in progress. */
  async settled(): Promise<void> {
    while (this.under.size > 0) await Promise.all(this.under);
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.settled();
    this.mailer.close();
  }

  private async run(work: () => Promise<Mail | undefined>): Promise<void> {
    // A random delay: the time of the next request must not reveal whether this one left work behind.
    await pause(this.closed ? 0 : randomInt(LONGEST_DELAY_MS));
    try {
      const mail = await work();
      if (mail !== undefined) await this.deliver(mail);
    } catch (error) {
      this.logger.error({ error }, 'mail was not sent');
    }
  }

  private deliver(mail: Mail): Promise<void> {
    return retry(
      () => this.mailer.send(mail),
      (failures) => (this.closed ? undefined : PAUSES_MS[failures - 1]),
    );
  }
}
