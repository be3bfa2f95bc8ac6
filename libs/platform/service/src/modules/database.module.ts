import { Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { ServiceName } from '@acervo/contracts';
import { SERVICE_NAME } from '@acervo/platform-config';
import {
  appRole,
  BackgroundDatabase,
  Database,
  DatabaseProbe,
  EventsDatabase,
  ownerRole,
  Provisioner,
} from '@acervo/platform-database';
import { ReadinessChecks } from '@acervo/platform-http';
import { ConnectionBudget } from '../settings/connection-budget';
import { DatabaseLogins } from '../settings/connections';
import { PoolFigures } from './pool-figures';
import { RolesConfig } from '../settings/roles-config';
import { ObservabilityModule } from './observability.module';

const LOGIN = [SERVICE_NAME, RolesConfig, DatabaseLogins, ConnectionBudget];

const app = (service: ServiceName, roles: RolesConfig, logins: DatabaseLogins) =>
  logins.connection(appRole(service), roles.appPassword);

/**
 * The database of a service for requests, events and background work, each with its own pool and priority, and its
 * provisioner.
 */
@Module({
  imports: [ObservabilityModule],
  providers: [
    DatabaseLogins,
    ConnectionBudget,
    PoolFigures,
    {
      provide: Database,
      inject: LOGIN,
      useFactory: (service: ServiceName, roles: RolesConfig, logins: DatabaseLogins, { requests }: ConnectionBudget) =>
        new Database({ ...app(service, roles, logins), max: requests, mostWaiting: roles.databaseWaiting }),
    },
    {
      provide: EventsDatabase,
      inject: LOGIN,
      useFactory: (service: ServiceName, roles: RolesConfig, logins: DatabaseLogins, { events }: ConnectionBudget) =>
        new EventsDatabase({ ...app(service, roles, logins), priority: 'courier', max: events }),
    },
    {
      provide: BackgroundDatabase,
      inject: [...LOGIN, Database],
      useFactory: (
        service: ServiceName,
        roles: RolesConfig,
        logins: DatabaseLogins,
        { background }: ConnectionBudget,
        database: Database,
      ) =>
        new BackgroundDatabase({ ...app(service, roles, logins), priority: 'background', max: background }, database),
    },
    {
      provide: DatabaseProbe,
      inject: LOGIN,
      useFactory: (service: ServiceName, roles: RolesConfig, logins: DatabaseLogins) =>
        // On the embedded engine it precedes background work and is no request.
        new DatabaseProbe({ ...app(service, roles, logins), priority: 'courier' }),
    },
    {
      provide: Provisioner,
      inject: LOGIN,
      useFactory: (service: ServiceName, roles: RolesConfig, logins: DatabaseLogins) =>
        new Provisioner(logins.connection(ownerRole(service), roles.ownerPassword)),
    },
  ],
  exports: [ConnectionBudget, DatabaseLogins, Database, EventsDatabase, BackgroundDatabase, Provisioner],
})
export class DatabaseModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly database: Database,
    private readonly events: EventsDatabase,
    private readonly background: BackgroundDatabase,
    private readonly provisioner: Provisioner,
    private readonly probe: DatabaseProbe,
    private readonly readiness: ReadinessChecks,
  ) {}

  onModuleInit(): void {
    this.readiness.add({ name: 'database', check: () => this.probe.ping() });
  }

  async onApplicationShutdown(): Promise<void> {
    const opened = [this.probe, this.provisioner, this.database, this.background, this.events];
    await Promise.all(opened.map((each) => each.close()));
  }
}
