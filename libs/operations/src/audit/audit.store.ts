import { Injectable } from '@nestjs/common';
import type { AnchoredRecord, AuditRecord, AuditRequest } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import type { AnchoredHead } from './audit-anchor';
import { AuditChain, BEGINNING } from './audit-chain';

export interface Head {
  readonly number: number;
  readonly mac: Buffer;
}

/** A record with its place in the chain of its group. */
export interface NumberedRecord extends AuditRecord {
  readonly number: number;
}

/** A stored link. */
export interface KeptLink extends NumberedRecord {
  readonly version: number;
  readonly mac: Buffer;
}

const RECORD = `number::int, record_id as "recordId", call, outcome, error, actor, cause, caller, subject, target,
  to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at`;
const FILTER = `group_id = $1 and ($2::text is null or actor = $2) and ($3::text is null or call = $3)
  and ($4::text is null or outcome = $4) and ($5::timestamptz is null or at >= $5)
  and ($6::text is null or subject = lower($6))`;

/** The newest record of a chain is not as it was written. */
export class AuditHeadBroken extends Error {
  constructor() {
    super('The newest audit record is not as it was written, or is missing; run --verify-audit.');
    this.name = 'AuditHeadBroken';
  }
}

/** The chains of audit records, one a group. The service may add and read links, and nothing else. */
@Injectable()
export class AuditStore {
  constructor(private readonly chain: AuditChain) {}

  /** Adds a record as the next link. Concurrent calls wait for the lock of the head. */
  async append(tx: Transaction, received: AuditRecord): Promise<void> {
    // Sealed as it is read back: to the millisecond, whatever its sender wrote.
    const record = { ...received, at: new Date(received.at).toISOString() };
    const groupId = tx.groupId ?? '';
    const head = await this.lockedHead(tx, groupId);
    const number = head.number + 1;
    const { version } = this.chain;
    const mac = this.chain.seal(head.mac, { groupId, number, record }, version);
    const { recordId, call, outcome, error, actor, cause, caller, at, subject = null, target = null } = record;
    await tx.query(
      `insert into operations.audit_record (group_id, number, record_id, call, outcome, error, actor, cause, caller, at,
         key_version, mac, subject, target) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
      [groupId, number, recordId, call, outcome, error, actor, cause, caller, at, version, mac, subject, target],
    );
    await tx.query('update operations.audit_head set number = $2, mac = $3 where group_id = $1', [
      groupId,
      number,
      mac,
    ]);
  }

  async list(tx: Transaction, request: AuditRequest): Promise<{ records: NumberedRecord[]; total: number }> {
    const { actor, subject, operation, outcome, since, limit, before } = request;
    const filter = [tx.groupId, actor ?? null, operation ?? null, outcome ?? null, since ?? null, subject ?? null];
    const records = await tx.query<NumberedRecord>(
      `select ${RECORD} from operations.audit_record where ${FILTER} and ($7::bigint is null or number < $7)
       order by number desc limit $8`,
      [...filter, before ?? null, limit],
    );
    const [counted] = await tx.query<{ total: number }>(
      `select count(*)::int as total from operations.audit_record where ${FILTER}`,
      filter,
    );
    return { records, total: counted?.total ?? 0 };
  }

  /** Links after a number, in order. */
  page(tx: Transaction, after: number, most: number): Promise<KeptLink[]> {
    return tx.query<KeptLink>(
      `select ${RECORD}, key_version as version, mac from operations.audit_record
       where group_id = $1 and number > $2 order by number limit $3`,
      [tx.groupId, after, most],
    );
  }

  /** The last added link, according to the head. */
  async head(tx: Transaction): Promise<Head> {
    const [head] = await tx.query<Head>('select number::int, mac from operations.audit_head where group_id = $1', [
      tx.groupId,
    ]);
    return head ?? { number: 0, mac: BEGINNING };
  }

  /** The first link after a number, with its day, where it is older than so many days. */
  async firstOlder(tx: Transaction, after: number, days: number): Promise<AnchoredRecord | null> {
    const [record] = await tx.query<AnchoredRecord>(
      `select number::int, to_char(at at time zone 'UTC', 'YYYY-MM-DD') as day from operations.audit_record
       where group_id = $1 and number > $2 and at < now() - make_interval(days => $3) order by number limit 1`,
      [tx.groupId, after, days],
    );
    return record ?? null;
  }

  /** The macs of the links with these numbers, where they exist. */
  macsOf(tx: Transaction, numbers: readonly number[]): Promise<Head[]> {
    return tx.query<Head>(
      'select number::int, mac from operations.audit_record where group_id = $1 and number = any($2::bigint[])',
      [tx.groupId, numbers],
    );
  }

  /** The head today, once its link is proved; undefined for a chain without links. @throws AuditHeadBroken */
  async soundHead(tx: Transaction): Promise<AnchoredHead | undefined> {
    const { number, mac } = await this.head(tx);
    if (number === 0) return undefined;
    const links = await this.page(tx, Math.max(0, number - 2), 2);
    const [last, before] = [links.at(-1), links.at(-2)?.mac ?? BEGINNING];
    const groupId = tx.groupId ?? '';
    if (last === undefined || !last.mac.equals(mac) || last.number !== number) throw new AuditHeadBroken();
    const { version, mac: _, ...record } = last;
    if (!this.chain.fits(before, { groupId, number, record }, version, mac)) throw new AuditHeadBroken();
    return { groupId, day: await this.today(tx), number, mac };
  }

  private async today(tx: Transaction): Promise<string> {
    const [row] = await tx.query<{ day: string }>(`select to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as day`);
    return row?.day ?? '';
  }

  private async lockedHead(tx: Transaction, groupId: string): Promise<Head> {
    await tx.query(
      'insert into operations.audit_head (group_id, number, mac) values ($1, 0, $2) on conflict do nothing',
      [groupId, BEGINNING],
    );
    const [head] = await tx.query<Head>(
      'select number::int, mac from operations.audit_head where group_id = $1 for update',
      [groupId],
    );
    if (head === undefined) throw new Error('The head of an audit chain was not stored.');
    return head;
  }
}
