import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@acervo/platform-database';
import type { LeasedMail, RequestedMail } from './requested-mail';

interface ClaimedMail extends LeasedMail {
  readonly sender: string;
}

/** A mail is tried for this long. */
const HOURS = 24;
/** Longer than one try can take. */
const LEASE_SECONDS = 300;

/** The group of an invitation, else the kind of a mail that people request for themselves. An index is over it. */
const SENDER = 'coalesce(invited_to::text, kind)';

/** Claims the oldest due mail of the next sender. */
const CLAIM = `
update auth.mail_outbox m set lease = gen_random_uuid(), leased_until = now() + $1 * interval '1 second',
  attempts = m.attempts + 1
from (select mail_id from auth.mail_outbox
  where ${SENDER} > $3 and not_before <= now() and (leased_until is null or leased_until < now())
  order by ${SENDER}, not_before limit 1 for update skip locked) due
where m.mail_id = due.mail_id
returning m.mail_id as "mailId", m.lease, m.kind, m.email, m.name, m.group_name as "groupName",
  m.invited_to as "invitedTo", m.attempts, ${SENDER} as sender,
  m.created_at < now() - make_interval(hours => $2) as "isLast"`;

/** Before every sender. */
const FIRST = '';

/** Mails to send, claimed by lease. Mails belong to no group, so their table has no group column. */
@Injectable()
export class MailOutboxStore {
  /** The sender that had the last turn in this process. */
  private served = FIRST;

  constructor(private readonly database: Database) {}

  /** Adds a mail to a transaction, to be written after this delay. */
  async add(tx: Transaction, mail: RequestedMail, delayMs: number): Promise<void> {
    const { kind, email, name, groupName, invitedTo } = mail;
    await tx.query(
      `insert into auth.mail_outbox (kind, email, name, group_name, invited_to, not_before)
       values ($1, $2, $3, $4, $5, now() + $6 * interval '1 ms')`,
      [kind, email, name ?? null, groupName ?? null, invitedTo ?? null, delayMs],
    );
  }

  /** Claims a due mail, if any. Senders take turns: one with many mails delays no other. */
  async claim(): Promise<LeasedMail | undefined> {
    const { served } = this;
    const next = await this.claimAfter(served);
    const mail = next ?? (served === FIRST ? undefined : await this.claimAfter(FIRST));
    this.served = mail?.sender ?? FIRST;
    return mail;
  }

  /** Deletes a mail that was sent or given up. A mail that another process has leased stays. */
  async delete({ mailId, lease }: LeasedMail): Promise<void> {
    await this.database.ungrouped((tx) =>
      tx.query(`delete from auth.mail_outbox where mail_id = $1 and lease = $2`, [mailId, lease]),
    );
  }

  /** Returns a mail that was not sent, to be tried after this wait. */
  async retry({ mailId, lease }: LeasedMail, waitMs: number): Promise<void> {
    await this.database.ungrouped((tx) =>
      tx.query(
        `update auth.mail_outbox set lease = null, leased_until = null, not_before = now() + $3 * interval '1 ms'
         where mail_id = $1 and lease = $2`,
        [mailId, lease, waitMs],
      ),
    );
  }

  private async claimAfter(sender: string): Promise<ClaimedMail | undefined> {
    const [mail] = await this.database.ungrouped((tx) => tx.query<ClaimedMail>(CLAIM, [LEASE_SECONDS, HOURS, sender]));
    return mail;
  }
}
