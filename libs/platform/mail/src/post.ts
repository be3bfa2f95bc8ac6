import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@acervo/platform-observability';
import type { Mail, Mailer } from './mailer';

const LONGEST_DELAY_MS = 500;
const PAUSES_MS = [0, 2_000, 10_000];

/** Sends letters after the answer they belong to: who waits for an answer cannot tell whether there was one. */
export class Post {
  private readonly under = new Set<Promise<void>>();
  private closed = false;

  constructor(
    private readonly mailer: Mailer,
    private readonly logger: Logger,
  ) {}

  /** Does a piece of work once the present request has been answered, letters included; what fails is logged. */
  later(work: () => Promise<Mail | undefined>): void {
    const running: Promise<void> = this.run(work).finally(() => this.under.delete(running));
    this.under.add(running);
  }

  /** Waits for what is under way. */
  async settled(): Promise<void> {
    while (this.under.size > 0) await Promise.all(this.under);
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.settled();
    this.mailer.close();
  }

  private async run(work: () => Promise<Mail | undefined>): Promise<void> {
    // At no predictable moment: whoever asks next must not feel whether this one left work behind.
    await pause(this.closed ? 0 : randomInt(LONGEST_DELAY_MS));
    try {
      const mail = await work();
      if (mail !== undefined) await this.deliver(mail);
    } catch (error) {
      this.logger.error({ error }, 'mail was not sent');
    }
  }

  private async deliver(mail: Mail): Promise<void> {
    for (const [attempt, wait] of PAUSES_MS.entries()) {
      await pause(this.closed ? 0 : wait);
      try {
        return await this.mailer.send(mail);
      } catch (error) {
        if (attempt === PAUSES_MS.length - 1 || this.closed) throw error;
      }
    }
  }
}
