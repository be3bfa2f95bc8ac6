import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@acervo/platform-database';
import { MailOutboxStore } from './mail-outbox.store';
import { MailSender } from './mail-sender';
import type { RequestedMail } from './requested-mail';

/** A random delay: the time of the next request must not reveal whether this one leaves work behind. */
const LONGEST_DELAY_MS = 500;

/**
 * Accepts mails. Each is a row, whether or not the address has an account, so the time of an answer does not reveal it.
 */
@Injectable()
export class MailOutbox {
  constructor(
    private readonly database: Database,
    private readonly store: MailOutboxStore,
    private readonly sender: MailSender,
  ) {}

  /** Adds a mail, in a transaction of its own. */
  async request(mail: RequestedMail): Promise<void> {
    const wake = await this.database.ungrouped((tx) => this.add(tx, mail));
    wake();
  }

  /** Adds a mail to a transaction; the returned function sends it, once the transaction is committed. */
  async add(tx: Transaction, mail: RequestedMail): Promise<() => void> {
    const delayMs = randomInt(LONGEST_DELAY_MS);
    await this.store.add(tx, mail, delayMs);
    return () => this.sender.sendIn(delayMs);
  }
}
