import type { ServiceName } from '@acervo/contracts';
import { BaseConfig, BuildConfig, type SettingsClass } from '@acervo/platform-config';
import type { MigrationClass } from '@acervo/platform-database';
import type { DescriptionTexts } from '@acervo/platform-http';
import type { MetricDeclaration } from '@acervo/platform-observability';
import type { ConnectionNeeds } from './settings/connection-budget';
import { DatabaseConfig } from './settings/database-config';
import { EventsConfig } from './settings/events-config';
import { LimitsConfig } from './settings/limits-config';
import { RedisConfig } from './settings/redis-config';
import { RolesConfig } from './settings/roles-config';
import { TracingConfig } from './settings/tracing-config';
import type { AdminCommand } from './admin-commands/admin-commands';
import { WorkConfig } from './settings/work-config';

/** The definition of a service beside its module: its name, settings, schema and admin commands. */
export interface ServiceDefinition {
  readonly name: ServiceName;
  /** Settings classes beside those of every service; a class of the platform also adds the module it configures. */
  readonly config: readonly SettingsClass[];
  /** Migrations of its own tables, in order; absent in a service that owns no data. */
  readonly migrations?: readonly MigrationClass[];
  /** Tables that belong to no group, beside those of messaging. */
  readonly sharedTables?: readonly string[];
  /** Owns the folders that a scope names, and reads no document below them: its handlers get no resolved folders. */
  readonly ownsLocations?: boolean;
  /** What it needs connections to the database for, beside what every service does. */
  readonly connections?: ConnectionNeeds;
  /** Texts of the published description; with them the service serves `/openapi.json` and `/docs` of its routes. */
  readonly description?: DescriptionTexts;
  /** Metrics beside those of every service. */
  readonly metrics?: readonly MetricDeclaration[];
  /** Admin commands beside those of every service. */
  readonly commands?: readonly AdminCommand[];
}

const ofEveryService: readonly SettingsClass[] = [
  BaseConfig,
  BuildConfig,
  DatabaseConfig,
  EventsConfig,
  RedisConfig,
  RolesConfig,
  WorkConfig,
  TracingConfig,
  LimitsConfig,
];

/** All settings classes of a service, those of every service first. */
export const settingsClassesOf = ({ config }: Pick<ServiceDefinition, 'config'>): readonly SettingsClass[] => [
  ...ofEveryService,
  ...config,
];
