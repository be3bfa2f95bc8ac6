import { app as auth } from '@acervo/auth-service-app';
import { app as operations } from '@acervo/operations-executor-app';
import { configurationReference, type SettingDescription, settingsOf } from '@acervo/platform-config';
import type { MigrationClass } from '@acervo/platform-database';
import { app as gateway } from '@acervo/gateway-app';
import { app as ingestion } from '@acervo/ingestion-service-app';
import {
  bootService,
  MigrateConfig,
  type BootOptions,
  type RunningService,
  type ServiceConfig,
  type ServiceDefinition,
} from '@acervo/platform-service';
import { app as retrieval } from '@acervo/retrieval-service-app';

type Environment = Readonly<Record<string, string>>;

/** One service of this installation: how it starts here, and where its own program lies. */
export interface InstalledService {
  readonly name: 'auth' | 'gateway' | 'ingestion' | 'operations' | 'retrieval';
  readonly migrations: readonly MigrationClass[];
  readonly settings: readonly SettingDescription[];
  /** Module name of its program. */
  readonly program: string;
  boot(environment: Environment, options: BootOptions): Promise<RunningService>;
}

const installed = <C extends ServiceConfig>(
  name: InstalledService['name'],
  program: string,
  definition: ServiceDefinition<C>,
): InstalledService => ({
  name,
  program,
  migrations: definition.migrations ?? [],
  settings: settingsOf(definition.config),
  boot: (environment, options) => bootService(definition, environment, options),
});

/** Owners before callers. */
export const installedServices: readonly InstalledService[] = [
  installed('auth', '@acervo/auth-service-app/main', auth),
  installed('retrieval', '@acervo/retrieval-service-app/main', retrieval),
  installed('ingestion', '@acervo/ingestion-service-app/main', ingestion),
  installed('operations', '@acervo/operations-executor-app/main', operations),
  installed('gateway', '@acervo/gateway-app/main', gateway),
];

/** The reference of all settings of the programs on servers, as docs/configuration.md holds it. */
export const configurationGuide = (): string =>
  configurationReference(installedServices, [{ name: 'migrate', settings: settingsOf(MigrateConfig) }]);
