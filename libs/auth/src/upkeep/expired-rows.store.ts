import { Injectable } from '@nestjs/common';
import { Database, EXPIRED_SNAPSHOT, type TenantScope } from '@acervo/platform-database';
import { DirectoryDatabase } from '../databases/databases';
import { EXPIRED_FACTOR } from '../factors/factor.store';

/** Rows of one transaction: no request waits long for the locks of a prune. */
const BATCH = 1_000;

/** A revoked key is a record of what happened for so long; the audit log holds its revocation. */
const REVOKED_KEY_DAYS = 30;

/**
 * Rows that no request can use, by table. A used refresh token stays until it expires, because its second use ends the
 * session; the tokens and challenges of a deleted session are deleted with it.
 */
const EXPIRED = {
  challenge: 'expires_at <= now()',
  refresh_token: 'expires_at <= now()',
  session: 'expires_at <= now() or ended_at is not null',
  action_token: 'expires_at <= now() or used_at is not null',
  factor: EXPIRED_FACTOR,
  api_key: `revoked_at < now() - interval '${REVOKED_KEY_DAYS} days'`,
  export_page: EXPIRED_SNAPSHOT,
} as const;

/** Until then a registration can be mailed again with another link; a completed one is a record of what happened. */
const REGISTRATION_DAYS = 7;
const EXPIRED_REGISTRATIONS = `delete from auth.pending_registration where state <> 'MAIL_VALIDADO'
  and coalesce(token_expires_at, created_at) < now() - interval '${REGISTRATION_DAYS} days'`;

const deleteSql = (table: string, expired: string): string => `
delete from auth.${table} where group_id = $1 and ctid = any(array(
  select ctid from auth.${table} where group_id = $1 and (${expired}) limit ${BATCH})) returning 1 as gone`;

/**
 * Deletes what has expired: sessions, their tokens and challenges, links of mails, pending factors, registrations, keys
 * that were revoked long ago, snapshots of interrupted exports.
 */
@Injectable()
export class ExpiredRows {
  constructor(
    private readonly database: Database,
    private readonly directory: DirectoryDatabase,
  ) {}

  /** Safe for several replicas at once. */
  async prune(): Promise<void> {
    await this.database.ungrouped((tx) => tx.query(EXPIRED_REGISTRATIONS));
    const groups = await this.directory.ungrouped((tx) =>
      tx.query<TenantScope>(`select group_id as "groupId" from auth.group_directory order by group_id`),
    );
    for (const group of groups)
      for (const [table, expired] of Object.entries(EXPIRED)) await this.pruneTable(group, deleteSql(table, expired));
  }

  private async pruneTable(group: TenantScope, sql: string): Promise<void> {
    let deleted = BATCH;
    while (deleted === BATCH)
      deleted = (await this.database.write(group, (tx) => tx.query(sql, [group.groupId]))).length;
  }
}
