import { Module, type OnModuleInit } from '@nestjs/common';
import { allEvents, type ServiceName } from '@acervo/contracts';
import { SERVICE_NAME } from '@acervo/platform-config';
import { appRole, BackgroundDatabase, EventsDatabase, relayRole } from '@acervo/platform-database';
import { ReadinessChecks } from '@acervo/platform-http';
import {
  Consumer,
  EVENTS_CONNECTION,
  Failpoints,
  Outbox,
  RemoteEventTransport,
  unhandled,
  WaitingFigures,
} from '@acervo/platform-messaging';
import { Metrics, Telemetry } from '@acervo/platform-observability';
import { DatabaseLogins } from '../connections';
import { EventDelivery } from '../event-delivery';
import { EventsConfig, kafkaSettings } from '../events-config';
import { RolesConfig } from '../roles-config';
import { WorkConfig } from '../work-config';
import { DatabaseModule } from './database.module';
import { ObservabilityModule } from './observability.module';

/** Topics that a service listens to. */
const topicsOf = (service: ServiceName): string[] =>
  allEvents()
    .filter(({ subscribers }) => subscribers.includes(service))
    .map(({ topic }) => topic);

/**
 * The transport of a service's events; null where the surrounding program delivers them. The client of Kafka is loaded
 * only where it is configured.
 */
const openTransport = async (
  service: ServiceName,
  config: EventsConfig,
  logins: DatabaseLogins,
  database: EventsDatabase,
  telemetry: Telemetry,
  failpoints: Failpoints,
): Promise<RemoteEventTransport | null> => {
  if (config.events !== 'kafka') return null;
  const { openKafkaTransport } = await import('@acervo/platform-messaging/kafka');
  return openKafkaTransport({
    ...{ service, database, telemetry, failpoints, topics: topicsOf(service) },
    settings: kafkaSettings(service, config),
    relay: logins.connection(relayRole(service), config.relayPassword),
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
      inject: [SERVICE_NAME, EventsConfig, DatabaseLogins, EventsDatabase, Telemetry, Failpoints],
      useFactory: openTransport,
    },
    {
      provide: EVENTS_CONNECTION,
      inject: [SERVICE_NAME, RolesConfig, DatabaseLogins],
      useFactory: (service: ServiceName, roles: RolesConfig, logins: DatabaseLogins) =>
        logins.connection(appRole(service), roles.appPassword),
    },
    Consumer,
    {
      provide: WaitingFigures,
      inject: [SERVICE_NAME, Metrics, BackgroundDatabase, RemoteEventTransport],
      useFactory: (
        service: ServiceName,
        metrics: Metrics,
        database: BackgroundDatabase,
        transport: RemoteEventTransport | null,
      ) =>
        new WaitingFigures(metrics, [
          unhandled(service, database),
          ...(transport === null ? [] : [transport.unpublished]),
        ]),
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
