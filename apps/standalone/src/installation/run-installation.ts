import { anonymous } from '@acervo/rbac';
import { type ExplainRequest, type Explanation, type ProvisionedGroup, provisionFirstGroup } from '@acervo/contracts';
import type { DatabaseConnection, DatabaseProcess } from '@acervo/platform-database';
import type { Calls } from '@acervo/platform-calls';
import { FileAccessConfig } from '@acervo/files/settings';
import { BaseConfig, readConfig } from '@acervo/platform-config';
import { offerOf } from '@acervo/platform-service';
import { publicBounds, type RunningServer, serve } from '@acervo/platform-http';
import { openControl } from '../kernel/control';
import type { DataDirectory } from '../resources/data-directory';
import { FolderManagers } from '../folders/folder-managers';
import { internalDispatcher, publicDispatcher } from './dispatcher';
import { environmentOf, RATES_OF_ONE_MACHINE } from './environment';
import { chooseEmbedder, describeChoice } from '../embedder/choice';
import { variablesOf } from '../embedder/endpoint';
import type { EmbedderEnvironment } from '../kernel/options';
import { knownMigrations, type Resources } from '../resources/embedded-resources';
import { openResources } from '../resources/open-resources';
import type { CopyDatabase } from '../backup/backing-up';
import { explainFor } from '../commands/explain';
import { AdminCommandExecutor } from '../commands/admin-command-executor';
import type { Print } from '../kernel/print';
import { rememberFolders } from '../folders/known-folders';
import { FolderViews, inProcesses, type OpenView } from '../folders/watch/folder-views';
import { printKey, printWelcome, type Welcomed } from '../terminal/welcome';
import type { Screen } from '../terminal/progress/screen';
import type { Opened } from '../kernel/opened';
import { environmentFor, isBrief, type StartEnvironment, type StartOptions } from '../kernel/options';
import { awaitEvents, type RunningServices } from './running';
import { startServices } from './start-services';
import type { ExportFile } from '../transfer/export-file';
import { importInstallation } from '../transfer/importing';
import {
  commandsOf,
  executeFirst,
  executeRequest,
  executeStart,
  onlyAtStart,
  type Running,
  type StartDependencies,
} from '../commands/execute-start';

const GROUP_NAME = 'Acervo';
/** Address of the services in the settings that admin commands read; they send calls through this program. */
const UNREACHABLE = 'http://{service}.invalid';

/** A running installation. */
export interface Standalone {
  readonly port: number;
  readonly internalPort: number;
  readonly group: ProvisionedGroup;
  /** The API key of a first start, or the new key that the user requested. */
  readonly apiKey: string | null;
  /** Connection of a role of the embedded database, for benchmarks. */
  connection(role: string): DatabaseConnection;
  /** The Calls of this program, for benchmarks. */
  readonly calls: Calls;
  /** Explains a search with the access rights of a key's owner, for benchmarks. */
  explain(apiKey: string, search: ExplainRequest): Promise<Explanation>;
  /** The embedder in use, as the environment variables of a service, for benchmarks. */
  readonly embedder: EmbedderEnvironment;
  /**
   * Resolves when all files found are ingested and all admin commands of this start are executed; the value is whether
   * all of it succeeded.
   */
  readonly ingested: Promise<boolean>;
  /** Resolves when events travel between the services. @throws if they never can: the program has to end then */
  readonly working: Promise<void>;
  stop(): Promise<void>;
}

/** What a start has opened before the services are loaded. */
export interface OpenedInstallation {
  readonly directory: DataDirectory;
  /** The export that the start imports. */
  readonly imported: ExportFile | undefined;
  /** The process of the embedded database; absent on a database server. */
  readonly process: DatabaseProcess | undefined;
  readonly options: StartOptions;
  readonly environment: StartEnvironment;
  readonly screen: Screen;
}

const openServers = async (
  services: RunningServices,
  internal: RunningServer | undefined,
  port: number,
  opened: Opened,
  { reading = {}, asked }: { readonly reading?: Readonly<Record<string, string>> | undefined; asked: () => void },
): Promise<RunningServer[]> => {
  const bounds = publicBounds(readConfig(BaseConfig, reading));
  const servers = [
    internal ?? (await serve('internal', internalDispatcher(services.internalHandlers, services), '127.0.0.1', 0)),
    await serve('public', publicDispatcher(services.publicHandlers, asked), '127.0.0.1', port, undefined, bounds),
  ];
  for (const server of servers) opened.add(() => server.close());
  return servers;
};

/** The first group of this installation, created at the first start. */
const provision = (
  calls: Calls,
  { administrator, administratorPassword }: StartEnvironment,
): Promise<ProvisionedGroup> =>
  calls.send(provisionFirstGroup, anonymous, {
    groupName: GROUP_NAME,
    administrator,
    ...(administratorPassword === undefined ? {} : { administratorPassword }),
  });

/** Opens the control server for other starts on the same data directory. */
const openControlOf = async (
  dependencies: StartDependencies,
  directory: DataDirectory,
  running: Running,
  opened: Opened,
): Promise<void> => {
  const control = await openControl(directory.path, async (request, print) => {
    const late = onlyAtStart(request, running);
    if (late.length > 0) {
      const which = late.join(' ');
      print(
        `Acervo runs already, and ${which} applies at a start only; nothing was done. Stop Acervo and start it with ${which}.`,
      );
      return 2;
    }
    const isDone = await executeRequest(dependencies, request, print);
    if (!request.commands.some((command) => offerOf(command)?.isAnswer))
      print(
        `Acervo runs already: http://localhost:${running.port}. It continues by itself; --status shows the progress.`,
      );
    return isDone ? 0 : 1;
  });
  opened.add(() => control.close());
};

interface Imported {
  readonly calls: Calls;
  readonly directory: DataDirectory;
  readonly imported: ExportFile | undefined;
  readonly print: Print;
}

/** The first group of an installation, from an export or new. */
const firstGroup = async (
  { calls, directory, imported, print }: Imported,
  environment: StartEnvironment,
): Promise<ProvisionedGroup> => {
  if (imported !== undefined) {
    await importInstallation(calls, imported, print);
    directory.imported();
  }
  return provision(calls, environment);
};

/** What copies the database for a backup; absent where a copy of the data directory would lack something. */
const copyOf = (database: Resources['database'], { engines = {} }: StartEnvironment): CopyDatabase | undefined =>
  engines['ACERVO_OBJECT_STORE'] === 's3' ? undefined : database.copyInto?.bind(database);

/** Prints the welcome message, or the key alone where the start ends after its commands. */
const welcome = (welcomed: Welcomed, options: StartOptions, print: Print): void =>
  isBrief(options) ? printKey(print, welcomed.group, welcomed.apiKey) : printWelcome(print, welcomed);

/** Records the folders of this start, each looked at in a process that a share without an answer cannot stop. */
const recordFolders = async (directory: DataDirectory, options: StartOptions, open: OpenView, print: Print) => {
  const views = new FolderViews(open);
  await rememberFolders(directory, options, views, print);
  await views.close();
};

/**
 * Runs the services on an opened installation, and ingests its folders while they serve.
 * @throws DataDirectoryUnusable if a newer version changed its database
 */
export const runInstallation = async (
  { directory, imported, process, options, environment, screen }: OpenedInstallation,
  opened: Opened,
): Promise<Standalone> => {
  const { print } = screen;
  directory.assertSchemasKnown(knownMigrations);
  const { database, logger, metrics, asked } = await openResources(directory, { environment, print, process }, opened);
  const embedder = await chooseEmbedder({
    ...{ directory, logger, print, opened },
    asked: options.embedder ?? null,
    environment: environment.embedder ?? {},
  });
  print(describeChoice(embedder));
  const shared = { database, directory, embedder, start: environmentFor(options, environment) };
  const { services, internal } = await startServices(shared, options, metrics);
  opened.add(() => services.close());
  await awaitEvents(services, print);
  const [internalServer, publicServer] = await openServers(services, internal, options.port, opened, {
    ...{ reading: environment.reading, asked },
  });
  const { calls } = services;
  const port = publicServer?.port ?? options.port;
  const connection = (role: string): DatabaseConnection => database.connection(role);
  const group = await firstGroup({ calls, directory, imported, print }, environment);
  const { fileAccessSeconds } = readConfig(FileAccessConfig, environment.reading ?? {});
  const openView = inProcesses(fileAccessSeconds * 1_000);
  const folderManagers = new FolderManagers({ calls, directory, entityCode: group.entityCode, openView, screen });
  opened.add(() => folderManagers.close());
  const executor = new AdminCommandExecutor({
    ...{ calls, directory, connection, folderManagers, copyDatabase: copyOf(database, environment) },
    environmentOf: (service) => environmentOf(service, { ...shared, publicPort: port, internalUrl: UNREACHABLE }),
  });
  const { apiKey, isDone } = await executeFirst(executor, { group, screen }, commandsOf(options, group, environment));
  const notices: string[] = [];
  if (!isBrief(options)) await recordFolders(directory, options, openView, (line) => notices.push(line));
  const dependencies = { executor, folderManagers, screen };
  await openControlOf(dependencies, directory, { port, processes: options.processes }, opened);
  // A program that says it is ready also answers other starts.
  const keyRate = Number(environment.reading?.['ACERVO_KEY_RATE'] ?? RATES_OF_ONE_MACHINE.ACERVO_KEY_RATE);
  welcome({ port, group, apiKey, keyRate }, options, print);
  notices.forEach(print);
  return {
    port,
    internalPort: internalServer?.port ?? 0,
    group,
    apiKey,
    connection,
    calls,
    explain: (key, search) => explainFor(calls, key, search),
    working: services.working,
    ingested: executeStart(dependencies, embedder.target, options).then((isWhole) => isWhole && isDone),
    embedder: variablesOf(embedder.target),
    stop: () => opened.close(),
  };
};
