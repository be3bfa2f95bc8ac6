import { Inject, Injectable } from '@nestjs/common';
import type { ServiceName } from '@acervo/contracts';
import { SERVICE_NAME } from '@acervo/platform-config';
import { appRole, assertNoRowsWithoutGroup, Database, type MigrationClass } from '@acervo/platform-database';
import { EventDelivery } from '../modules/event-delivery';
import { RedisAccess } from '../modules/redis-access';
import { assertSchema } from '../migrations/schema-version';
import { StageWorkers } from '../modules/stage-workers';

/** Migrations of the service's own tables, in order. */
export const MIGRATIONS = Symbol('acervo:migrations');

const TENANT_TABLES = `
select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = $1 and c.relkind in ('r', 'p') and c.relforcerowsecurity and has_table_privilege($2, c.oid, 'select')`;

/** Checks the engines of a service before it answers requests. */
@Injectable()
export class StartupChecks {
  constructor(
    @Inject(SERVICE_NAME) private readonly service: ServiceName,
    @Inject(MIGRATIONS) private readonly migrations: readonly MigrationClass[],
    private readonly database: Database,
    private readonly redis: RedisAccess,
    private readonly delivery: EventDelivery,
    private readonly workers: StageWorkers,
  ) {}

  /** @throws for an unfit schema, a leak between groups, an engine that could lose data, or a login that is missing */
  async run(): Promise<void> {
    await this.assertSchema();
    await this.assertTenancy();
    await this.redis.assertDurable();
    await this.delivery.check();
    await this.workers.check();
  }

  /** @throws SchemaUnfit */
  assertSchema(): Promise<void> {
    return assertSchema({ name: this.service, migrations: this.migrations }, this.database);
  }

  /** Checks that a session without a group sees no tenant row. @throws otherwise, and the service does not start */
  private async assertTenancy(): Promise<void> {
    const { service } = this;
    await this.database.ungrouped(async (tx) => {
      const tables = await tx.query<{ name: string }>(TENANT_TABLES, [service, appRole(service)]);
      await assertNoRowsWithoutGroup(
        tx.query,
        tables.map(({ name }) => name),
      );
    });
  }
}
