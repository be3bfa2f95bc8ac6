import { Module, type OnModuleInit } from '@nestjs/common';
import { receivedBy, type ServiceName } from '@acervo/contracts';
import { SERVICE_NAME } from '@acervo/platform-config';
import { appRole, BackgroundDatabase, EventsDatabase, relayRole } from '@acervo/platform-database';
import { ReadinessChecks } from '@acervo/platform-http';
import {
  Consumer,
  Failpoints,
  LocalEvents,
  Notifications,
  Outbox,
  type RelayDatabase,
  RemoteEventTransport,
  unhandled,
  WaitingFigures,
} from '@acervo/platform-messaging';
import { Metrics, Telemetry } from '@acervo/platform-observability';
import { ConnectionBudget } from '../settings/connection-budget';
import { DatabaseLogins } from '../settings/connections';
import { EventDelivery } from './event-delivery';
import { EventsConfig, eventSettings } from '../settings/events-config';
import { RolesConfig } from '../settings/roles-config';
import { WorkConfig } from '../settings/work-config';
import { DatabaseModule } from './database.module';
import { ObservabilityModule } from './observability.module';

/** How the relay of a service reaches its outbox. */
const RELAY_DATABASE = Symbol('acervo:relay-database');

/**
 * The transport of a service's events; `LocalEvents` where the surrounding program delivers them. The client of Kafka is loaded
 * only where it is configured.
 */
const openTransport = async (
  service: ServiceName,
  config: EventsConfig,
  database: EventsDatabase,
  relay: RelayDatabase,
  telemetry: Telemetry,
  failpoints: Failpoints,
): Promise<RemoteEventTransport> => {
  if (config.events !== 'kafka') return new LocalEvents();
  const { openKafkaTransport } = await import('@acervo/platform-messaging/kafka');
  return openKafkaTransport({
    ...{ service, database, relay, telemetry, failpoints, topics: receivedBy(service).map(({ topic }) => topic) },
    settings: eventSettings(service, config),
  });
};

/** Events of a service: published through its outbox, delivered to its handlers, measured while they wait. */
@Module({
  imports: [ObservabilityModule, DatabaseModule],
  providers: [
    Outbox,
    EventDelivery,
    {
      provide: Failpoints,
      inject: [WorkConfig],
      useFactory: ({ failpoint }: WorkConfig) => Failpoints.from(failpoint),
    },
    {
      provide: RemoteEventTransport,
      inject: [SERVICE_NAME, EventsConfig, EventsDatabase, RELAY_DATABASE, Telemetry, Failpoints],
      useFactory: openTransport,
    },
    {
      provide: Notifications,
      inject: [SERVICE_NAME, RolesConfig, DatabaseLogins],
      useFactory: (service: ServiceName, roles: RolesConfig, logins: DatabaseLogins) =>
        new Notifications({ ...logins.connection(appRole(service), roles.appPassword), priority: 'courier' }),
    },
    {
      provide: RELAY_DATABASE,
      inject: [SERVICE_NAME, EventsConfig, DatabaseLogins, ConnectionBudget, Notifications],
      useFactory: (
        service: ServiceName,
        { relayPassword }: EventsConfig,
        logins: DatabaseLogins,
        { relay: max }: ConnectionBudget,
        notifications: Notifications,
      ): RelayDatabase => ({
        connection: { ...logins.connection(relayRole(service), relayPassword), max },
        notifications,
      }),
    },
    Consumer,
    {
      provide: WaitingFigures,
      inject: [SERVICE_NAME, Metrics, BackgroundDatabase, RemoteEventTransport],
      useFactory: (
        service: ServiceName,
        metrics: Metrics,
        database: BackgroundDatabase,
        transport: RemoteEventTransport,
      ) => new WaitingFigures(metrics, [unhandled(service, database), ...transport.unpublished]),
    },
  ],
  exports: [Outbox, Failpoints, EventDelivery],
})
export class MessagingModule implements OnModuleInit {
  constructor(
    private readonly delivery: EventDelivery,
    private readonly readiness: ReadinessChecks,
  ) {}

  onModuleInit(): void {
    const { ping } = this.delivery;
    // Without Kafka events wait in the outbox; requests are still answered.
    if (ping !== undefined) this.readiness.add({ name: 'kafka', optional: true, check: ping });
  }
}
