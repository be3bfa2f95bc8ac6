import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Mailer } from '@acervo/platform-mail';
import { Telemetry } from '@acervo/platform-observability';
import { CoalescingRunner, exponential, Periodic, withJitter } from '@acervo/platform-resilience';
import { MAIL } from '../auth.metrics';
import { MailOutboxStore } from './mail-outbox.store';
import { MailWriter } from './mail-writer';
import type { LeasedMail } from './requested-mail';

/** Finds mails whose wait is over, and those of a process that ended. */
const EVERY_MS = 5_000;
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 900_000;

/** Mails that a process sends at a time: a server that is slow with one of them does not hold up the others. */
const AT_ONCE = 2;

/** Writes and sends the mails of the outbox. */
@Injectable()
export class MailSender implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly runner = new CoalescingRunner(() => this.sendAll());
  private readonly rounds = new Periodic(() => this.runner.trigger(), { firstMs: 0, everyMs: EVERY_MS });
  private stopped = false;
  private readonly outcomes;

  constructor(
    private readonly store: MailOutboxStore,
    private readonly writer: MailWriter,
    private readonly mailer: Mailer,
    private readonly telemetry: Telemetry,
  ) {
    this.outcomes = telemetry.metrics.counter(MAIL, { outcome: ['sent', 'none', 'failed', 'given_up'] });
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  /** Runs before the pools close; mails that wait stay in the outbox. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await this.rounds.stop();
    await this.runner.stop();
  }

  /** Sends the mails that are due in so many milliseconds. */
  sendIn(delayMs: number): void {
    setTimeout(() => this.runner.trigger(), delayMs).unref();
  }

  /** The first look is one statement: where no mail is due, no second one follows. */
  private async sendAll(): Promise<void> {
    try {
      const first = await this.store.claim();
      if (first === undefined) return;
      const others = Array.from({ length: AT_ONCE - 1 }, async () => this.sendFrom(await this.store.claim()));
      await Promise.all([this.sendFrom(first), ...others]);
    } catch (error) {
      this.telemetry.logger.warn({ error }, 'mails wait for the database');
    }
  }

  /** Sends a claimed mail and those that are due after it. */
  private async sendFrom(first: LeasedMail | undefined): Promise<void> {
    for (let mail = first; mail !== undefined; mail = await this.store.claim()) {
      await this.send(mail);
      if (this.stopped) return;
    }
  }

  private async send(leased: LeasedMail): Promise<void> {
    try {
      const mail = await this.writer.write(leased);
      if (mail !== undefined) await this.mailer.send(mail);
      this.outcomes.inc({ outcome: mail === undefined ? 'none' : 'sent' });
    } catch (error) {
      return this.failed(leased, error);
    }
    await this.store.delete(leased);
  }

  /** A mail is given up with a log line that names its kind; neither line holds an address. */
  private async failed(leased: LeasedMail, cause: unknown): Promise<void> {
    const { kind, attempts, isLast } = leased;
    const reason = cause instanceof Error ? cause.name : 'Error';
    const { logger } = this.telemetry;
    this.outcomes.inc({ outcome: isLast ? 'given_up' : 'failed' });
    if (isLast) {
      logger.error({ kind, attempts, reason }, 'mail was given up after 24 hours');
      return this.store.delete(leased);
    }
    logger.warn({ kind, attempts, reason }, 'mail was not sent and is tried again');
    await this.store.retry(leased, withJitter(exponential(attempts, FIRST_WAIT_MS, LONGEST_WAIT_MS)));
  }
}
