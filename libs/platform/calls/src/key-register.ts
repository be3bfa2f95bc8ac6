import type { JWK } from 'jose';
import { appRole, type Database, type MigrationClass, sqlMigration } from '@acervo/platform-database';
import type { Logger } from '@acervo/platform-observability';
import type { ServiceKeys } from './keys';

/** Tables of internal calls that belong to no group. */
export const keyTables = ['service_key'] as const;

/** Where the processes of one service publish the public halves of their keys for each other. */
export const keyMigration = (service: string): MigrationClass =>
  sqlMigration(
    'ServiceKeys1760000700001',
    `
create table ${service}.service_key (kid text primary key, jwk jsonb not null, published_until timestamptz not null);
grant select, insert, update, delete on ${service}.service_key to ${appRole(service)};
`,
  );

const MINUTE_MS = 60_000;
/** A token may be renewed for ten minutes; a key is published for longer than whoever signed with it lives. */
const PUBLISHED_MINUTES = 30;
const RENEWED_EVERY_MS = 5 * MINUTE_MS;
const SIGNS_FOR_MS = 24 * 60 * MINUTE_MS;

export interface KeyRegisterParts {
  readonly service: string;
  readonly database: Database;
  readonly keys: ServiceKeys;
  readonly logger: Logger;
}

interface PublishedKey {
  readonly jwk: JWK;
  readonly until: Date;
}

/**
 * The public keys of all processes of one service. Each signs with a key of its own, which no other ever sees; whichever
 * of them is asked tells the keys of all, those of a process that has just ended included.
 */
export class KeyRegister {
  private timer: NodeJS.Timeout | undefined;
  private signsSince = Date.now();
  private known: readonly PublishedKey[] | undefined;

  constructor(private readonly parts: KeyRegisterParts) {}

  /** Publishes the key of this process, before anything signed with it leaves. */
  async open(): Promise<void> {
    await this.publish();
    const round = (): void =>
      void this.round().catch((error: unknown) => this.parts.logger.warn({ error }, 'keys were not published anew'));
    this.timer = setInterval(round, RENEWED_EVERY_MS);
    this.timer.unref();
  }

  close(): void {
    clearInterval(this.timer);
  }

  /**
   * What peers may meet in a token now; while the database does not answer, what was known last, for as long as it was
   * published. @throws where nothing was known yet: keys of others would be missing, and their calls be refused.
   */
  async published(): Promise<readonly JWK[]> {
    const { database, service, keys, logger } = this.parts;
    try {
      const rows = await database.ungrouped((tx) =>
        tx.query<PublishedKey>(
          `select jwk, published_until as until from ${service}.service_key where published_until > clock_timestamp()`,
        ),
      );
      this.known = rows;
    } catch (error) {
      if (this.known === undefined) throw error;
      logger.warn({ error }, 'keys of other processes are those that were known last');
    }
    const own = new Set(keys.published.map(({ kid }) => kid));
    const others = this.known.filter(({ jwk, until }) => !own.has(jwk.kid) && until.getTime() > Date.now());
    return [...keys.published, ...others.map(({ jwk }) => jwk)];
  }

  /** Keeps what is in use published, and signs with another key now and then. */
  async round(now = Date.now()): Promise<void> {
    const { keys } = this.parts;
    if (now - this.signsSince > SIGNS_FOR_MS) {
      // Keys from before the last rotation; no token of them is left.
      keys.forget();
      await keys.announce();
      await this.publish();
      await keys.rotate();
      this.signsSince = now;
    }
    await this.publish();
  }

  private async publish(): Promise<void> {
    const { database, service, keys } = this.parts;
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
