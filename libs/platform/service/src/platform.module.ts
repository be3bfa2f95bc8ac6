import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { assertListed } from '@acervo/contracts';
import { ConfigModule, SERVICE_NAME, type SettingsClass } from '@acervo/platform-config';
import { HttpModule } from '@acervo/platform-http';
import { BackgroundWork } from './boot/background-work';
import { CONNECTION_NEEDS } from './settings/connection-budget';
import { ContractDiscovery } from './boot/contract-discovery';
import { CountersConfig } from './settings/counters-config';
import { MailConfig } from './settings/mail-config';
import { CallsModule, OWNS_LOCATIONS } from './modules/calls.module';
import { CountersModule } from './modules/counters.module';
import { DatabaseModule } from './modules/database.module';
import { LimitsModule } from './modules/limits.module';
import { MailModule } from './modules/mail.module';
import { MessagingModule } from './modules/messaging.module';
import { ObjectStoreModule } from './modules/object-store.module';
import { ObservabilityModule } from './modules/observability.module';
import { QueueModule } from './modules/queue.module';
import { RedisModule } from './modules/redis.module';
import { ObjectStoreConfig } from './settings/object-store-config';
import { type ServiceDefinition, settingsClassesOf } from './service';
import { MIGRATIONS, StartupChecks } from './boot/startup-checks';

const ofEveryService = [
  ObservabilityModule,
  HttpModule,
  DatabaseModule,
  MessagingModule,
  RedisModule,
  LimitsModule,
  CallsModule,
];

/** Modules that a service gets only when its settings include their class. */
const byConfig = new Map<SettingsClass, DynamicModule['module']>([
  [ObjectStoreConfig, ObjectStoreModule],
  [CountersConfig, CountersModule],
  [MailConfig, MailModule],
]);

/** Names the service before anything of the platform asks for it. */
@Module({})
class ServiceNameModule {
  static of({ name, migrations = [], connections = {}, ownsLocations = false }: ServiceDefinition): DynamicModule {
    return {
      module: ServiceNameModule,
      global: true,
      providers: [
        { provide: SERVICE_NAME, useValue: name },
        { provide: MIGRATIONS, useValue: migrations },
        { provide: CONNECTION_NEEDS, useValue: connections },
        { provide: OWNS_LOCATIONS, useValue: ownsLocations },
      ],
      exports: [SERVICE_NAME, MIGRATIONS, CONNECTION_NEEDS, OWNS_LOCATIONS],
    };
  }
}

/** Everything that a service gets from the platform, global within its application and nowhere else. */
@Module({})
export class PlatformModule {
  /** @throws ServiceNotListed where the table of services has no row of it */
  static forService(definition: ServiceDefinition): DynamicModule {
    assertListed(definition.name);
    const { name, config } = definition;
    const chosen = config.flatMap((type) => byConfig.get(type) ?? []);
    return {
      module: PlatformModule,
      global: true,
      imports: [
        ConfigModule.forRoot(settingsClassesOf({ config })),
        DiscoveryModule,
        ServiceNameModule.of(definition),
        ...ofEveryService,
        QueueModule.forService(name),
        ...chosen,
      ],
      providers: [BackgroundWork, ContractDiscovery, StartupChecks],
      exports: [...ofEveryService, QueueModule, ...chosen],
    };
  }
}
