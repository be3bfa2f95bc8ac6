import { app as auth } from '@acervo/auth-service-app';
import { type ProgramName, programs } from '@acervo/contracts';
import { app as gateway } from '@acervo/gateway-app';
import { app as ingestion } from '@acervo/ingestion-service-app';
import { app as operations } from '@acervo/operations-executor-app';
import {
  configurationReference,
  type SettingDescription,
  settingNamesModule,
  settingsOf,
} from '@acervo/platform-config';
import type { MigrationClass } from '@acervo/platform-database';
import { type MetricDeclaration, metricsReference, processMetrics } from '@acervo/platform-observability';
import {
  type AdminCommand,
  adminCommandsOf,
  bootService,
  DatabaseConfig,
  metricsOf,
  MigrateConfig,
  type RunningService,
  type Runtime,
  type ServiceProgram,
  settingsClassesOf,
} from '@acervo/platform-service';
import { app as retrieval } from '@acervo/retrieval-service-app';
import { app as chat } from '@acervo/chat-service-app';
import { standaloneMetrics } from './engine-runs';

/** One service of this installation: how it boots here, and the module of its own program. */
export interface InstalledService {
  readonly name: ProgramName;
  readonly migrations: readonly MigrationClass[];
  readonly settings: readonly SettingDescription[];
  /** Its metrics, but those of the Node process. */
  readonly metrics: readonly MetricDeclaration[];
  /** The admin commands of its program. */
  readonly commands: readonly AdminCommand[];
  /** Module name of its program. */
  readonly program: string;
  boot(runtime: Runtime): Promise<RunningService>;
}

const installed = (name: ProgramName, application: string, app: ServiceProgram): InstalledService => ({
  name,
  program: `@acervo/${application}-app/main`,
  migrations: app.service.migrations ?? [],
  settings: settingsClassesOf(app.service).flatMap(settingsOf),
  metrics: metricsOf(app.service),
  commands: adminCommandsOf(app.service),
  boot: (runtime) => bootService(app, runtime),
});

/** The program of each service: without one for a row of `serviceTable` this does not compile. */
const apps: Readonly<Record<ProgramName, ServiceProgram>> = { chat, auth, gateway, ingestion, operations, retrieval };

/** In the order of `serviceTable`: a service precedes its callers. */
export const installedServices: readonly InstalledService[] = programs.map(({ name, application }) =>
  installed(name, application, apps[name]),
);

const migrate = { name: 'migrate', settings: [...settingsOf(DatabaseConfig), ...settingsOf(MigrateConfig)] };

/** The reference of all settings of the programs on servers, as in docs/configuration.md. */
export const configurationGuide = (): string => configurationReference(installedServices, [migrate]);

/** The module with the names of all settings of the programs on servers. */
export const settingNamesSource = (): string => settingNamesModule([...installedServices, migrate]);

/** The reference of all metrics of the services, as in docs/metrics.md. */
export const metricsGuide = async (): Promise<string> =>
  metricsReference(installedServices, await processMetrics(), standaloneMetrics);
