import type { JWK } from 'jose';
import { appRole, type Database, type MigrationClass, sqlMigration } from '@acervo/platform-database';
import type { Logger } from '@acervo/platform-observability';
import { Periodic } from '@acervo/platform-resilience';
import type { ServiceKeys } from './keys';

/** Tables of internal calls that belong to no group. */
export const keyTables = ['service_key'] as const;

/** Creates the table where the processes of one service publish their public keys to each other. */
export const keyMigration = (service: string): MigrationClass =>
  sqlMigration(
    'ServiceKeys1760000700001',
    `
create table ${service}.service_key (kid text primary key, jwk jsonb not null, published_until timestamptz not null);
grant select, insert, update, delete on ${service}.service_key to ${appRole(service)};
`,
  );

const MINUTE_MS = 60_000;
/** A token may be renewed for ten minutes; a key is published for longer than any process that signed with it lives. */
const PUBLISHED_MINUTES = 30;
const RENEWED_EVERY_MS = 5 * MINUTE_MS;
const SIGNS_FOR_MS = 24 * 60 * MINUTE_MS;

interface PublishedKey {
  readonly jwk: JWK;
  readonly until: Date;
}

/**
 * The public keys of all processes of one service. Each process signs with a key of its own, which no other process
 * sees. Any process publishes the keys of all, including those of a process that has just ended.
 */
export class KeyRegister {
  private readonly rounds = new Periodic(() => this.round(), {
    everyMs: RENEWED_EVERY_MS,
    failed: (error) => this.logger.warn({ error }, 'keys were not published again'),
  });
  private signsSince = Date.now();
  private peerKeys: readonly PublishedKey[] | undefined;

  constructor(
    private readonly service: string,
    private readonly database: Database,
    private readonly keys: ServiceKeys,
    private readonly logger: Logger,
  ) {}

  /** Publishes the key of this process before the first token is signed with it. */
  async open(): Promise<void> {
    await this.publish();
    this.rounds.start();
  }

  close(): void {
    void this.rounds.stop();
  }

  /**
   * Keys that valid tokens may be signed with. While the database does not answer: the last known keys, for as long as
   * they were published.
   * @throws where no keys are known yet: without the keys of other processes, peers would refuse their calls
   */
  async published(): Promise<readonly JWK[]> {
    const { database, service, keys, logger } = this;
    try {
      const rows = await database.ungrouped((tx) =>
        tx.query<PublishedKey>(
          `select jwk, published_until as until from ${service}.service_key where published_until > clock_timestamp()`,
        ),
      );
      this.peerKeys = rows;
    } catch (error) {
      if (this.peerKeys === undefined) throw error;
      logger.warn({ error }, 'keys of other processes cannot be read; the last known ones are used');
    }
    const ownKeyIds = new Set(keys.published.map(({ kid }) => kid));
    const others = this.peerKeys.filter(({ jwk, until }) => !ownKeyIds.has(jwk.kid) && until.getTime() > Date.now());
    return [...keys.published, ...others.map(({ jwk }) => jwk)];
  }

  /** Renews the publication of keys in use, and rotates the signing key periodically. */
  async round(now = Date.now()): Promise<void> {
    const { keys } = this;
    if (now - this.signsSince > SIGNS_FOR_MS) {
      // Keys from before the last rotation; no token of theirs is left.
      keys.forget();
      await keys.announce();
      await this.publish();
      await keys.rotate();
      this.signsSince = now;
    }
    await this.publish();
  }

  private async publish(): Promise<void> {
    const { database, service, keys } = this;
    await database.ungrouped(async (tx) => {
      await tx.query(`delete from ${service}.service_key where published_until < clock_timestamp()`);
      for (const jwk of keys.published)
        await tx.query(
          `insert into ${service}.service_key values ($1, $2, clock_timestamp() + make_interval(mins => $3))
           on conflict (kid) do update set published_until = excluded.published_until`,
          [jwk.kid, JSON.stringify(jwk), PUBLISHED_MINUTES],
        );
    });
  }
}
