import { anonymous, WorkScope } from '@acervo/rbac';
import {
  type ExplainRequest,
  type Explanation,
  issueAdministratorKey,
  type ProvisionedGroup,
  provisionFirstGroup,
} from '@acervo/contracts';
import { type DatabaseConnection, DataDirectoryInUse } from '@acervo/platform-database';
import type { Calls } from '@acervo/platform-calls';
import { PortInUse, type RunningServer, serve } from '@acervo/platform-http';
import { openControl } from './control';
import { DataDirectory, DataDirectoryUnusable } from './data-directory';
import { Desks } from './desks';
import { internalDispatcher, publicDispatcher } from './dispatcher';
import { chooseEmbedder, describeChoice } from './embedder/choice';
import { type EmbedderEnvironment, EmbedderUnusable, variablesOf } from './embedder/endpoint';
import { knownMigrations } from './embedded-engines';
import { openEngines } from './engines';
import { ServerTaken } from './given-engines';
import { explainFor } from './explain';
import { carryOutForPeople } from './people-desk';
import type { Say } from './intake';
import { rememberFolders } from './known-folders';
import { greet, tellKey } from './greeting';
import { plainScreen, type Screen } from './progress/screen';
import { Opened } from './opened';
import { environmentFor, isBrief, type StartEnvironment, type StartOptions } from './options';
import { awaitEvents, type RunningServices } from './running';
import { startServices } from './start-services';
import { type ExportFile, ExportUnusable, readExport } from './transfer/export-file';
import { importInstallation } from './transfer/importing';
import { carryOutRequest, carryOutStart, onlyAtStart, type Running, type WishParts } from './wishes';

const GROUP_NAME = 'Acervo';

/** A mistake that a person can put right: its message is all that has to be shown. */
export const isPlainMistake = (error: unknown): error is Error =>
  error instanceof DataDirectoryUnusable ||
  error instanceof DataDirectoryInUse ||
  error instanceof PortInUse ||
  error instanceof ServerTaken ||
  error instanceof ExportUnusable ||
  error instanceof EmbedderUnusable;

/** A running installation. */
export interface Standalone {
  readonly port: number;
  readonly internalPort: number;
  readonly group: ProvisionedGroup;
  /** The key of a first start, or the one that was asked for. */
  readonly apiKey: string | null;
  /** Where a role of the embedded database logs in, for measurements beside the product. */
  connection(role: string): DatabaseConnection;
  /** What this program asks the services with, for measurements beside the product. */
  readonly calls: Calls;
  /** How a search of a key's owner came about, for measurements beside the product. */
  explain(apiKey: string, search: ExplainRequest): Promise<Explanation>;
  /** The embedder in use, as the variables that describe it to a service; for measurements too. */
  readonly embedder: EmbedderEnvironment;
  /**
   * Resolves when everything that was found has been taken in and what this start was asked for is done: whether all of
   * it could be.
   */
  readonly intake: Promise<boolean>;
  /** Resolves when events travel between the services. @throws when they never can: the program has to end then */
  readonly working: Promise<void>;
  stop(): Promise<void>;
}

/** Fails early, before anything was started, when the port is taken. */
const assertPortFree = async (port: number): Promise<void> =>
  (await serve('public', () => undefined, '127.0.0.1', port)).close();

const openServers = async (
  services: RunningServices,
  internal: RunningServer | undefined,
  port: number,
  opened: Opened,
  asked: () => void,
): Promise<RunningServer[]> => {
  const servers = [
    internal ?? (await serve('internal', internalDispatcher(services.internalHandlers, services), '127.0.0.1', 0)),
    await serve('public', publicDispatcher(services.publicHandlers, asked), '127.0.0.1', port),
  ];
  for (const server of servers) opened.add(() => server.close());
  return servers;
};

/** The group of this installation, made at the first start. */
const provision = (
  calls: Calls,
  { administrator, administratorPassword }: StartEnvironment,
): Promise<ProvisionedGroup> =>
  calls.send(provisionFirstGroup, anonymous, {
    groupName: GROUP_NAME,
    administrator,
    ...(administratorPassword === undefined ? {} : { administratorPassword }),
  });

/** The key of a first start, or another one where that was asked for. */
const keyFor = async (calls: Calls, group: ProvisionedGroup, { newKey }: StartOptions): Promise<string | null> => {
  if (group.created || !newKey) return group.apiKey;
  const scope = new WorkScope(group.groupId, 'standalone', 'new-key');
  return (await calls.send(issueAdministratorKey, scope, { name: 'Clave nueva' })).apiKey;
};

/** Looks after the folders from now on, and opens the door for other starts on the same data directory. */
const openDesks = async (
  parts: Omit<WishParts, 'desks'> & { readonly group: ProvisionedGroup; readonly running: Running },
  opened: Opened,
): Promise<WishParts> => {
  const { calls, directory, group, running, screen } = parts;
  const desks = new Desks({ calls, directory, entityCode: group.entityCode, screen });
  opened.add(() => desks.close());
  const wishing = { ...parts, desks };
  const control = await openControl(directory.path, async (request, tell) => {
    const late = onlyAtStart(request, running);
    if (late.length > 0) {
      const which = late.join(' ');
      tell(
        `Acervo runs already, and ${which} takes a start; nothing was done. Stop it and start it again with ${which}.`,
      );
      return 2;
    }
    await carryOutForPeople(calls, group, request, tell);
    const isDone = await carryOutRequest(wishing, request, tell);
    if (!request.status && typeof request.exportTo !== 'string')
      tell(`Acervo runs already: http://localhost:${running.port}. It goes on by itself; --status tells how far.`);
    return isDone ? 0 : 1;
  });
  opened.add(() => control.close());
  return wishing;
};

/** The data directory of a start, and what it begins with where that is an export. */
const openDirectory = (
  options: StartOptions,
): { readonly directory: DataDirectory; readonly imported: ExportFile | undefined } => {
  const { data, importFrom } = options;
  if (typeof importFrom !== 'string') {
    const opening = { migrations: knownMigrations, existing: isBrief(options) };
    return { directory: DataDirectory.open(data, opening), imported: undefined };
  }
  const { content, keyPepper } = readExport(importFrom);
  const seed = { ...content.settings, keyPepper };
  return { directory: DataDirectory.open(data, { migrations: knownMigrations, seed }), imported: content };
};

interface Beginning {
  readonly calls: Calls;
  readonly directory: DataDirectory;
  readonly imported: ExportFile | undefined;
  readonly port: number;
  readonly say: Say;
}

/** The group of the installation with what is to be said and done about its people at a start. */
const beginWith = async (
  { calls, directory, imported, port, say }: Beginning,
  options: StartOptions,
  environment: StartEnvironment,
): Promise<{ group: ProvisionedGroup; apiKey: string | null }> => {
  if (imported !== undefined) {
    await importInstallation(calls, imported, say);
    directory.imported();
  }
  const group = await provision(calls, environment);
  const apiKey = await keyFor(calls, group, options);
  const wantsLink = options.adminLink === true || (group.created && environment.administratorPassword === undefined);
  await carryOutForPeople(calls, group, { adminLink: wantsLink, systemUser: options.systemUser ?? null }, say);
  if (isBrief(options)) {
    tellKey(say, group, apiKey);
    return { group, apiKey };
  }
  greet(say, { port, group, apiKey });
  rememberFolders(directory, options, say);
  return { group, apiKey };
};

/** Starts the whole product on this machine and takes in its folders while it serves. What it says goes to `output`. */
export const startStandalone = async (
  wished: StartOptions,
  environment: StartEnvironment,
  output: Say | Screen,
): Promise<Standalone> => {
  const screen = typeof output === 'function' ? plainScreen(output) : output;
  const { say } = screen;
  // Nobody asks a start that answers and ends, so that it takes whatever port is free.
  const options = isBrief(wished) ? { ...wished, port: 0 } : wished;
  const opened = new Opened();
  try {
    await assertPortFree(options.port);
    const { directory, imported } = openDirectory(options);
    const { database, logger, metrics, asked } = await openEngines(directory, { environment, say }, opened);
    const embedder = await chooseEmbedder({
      ...{ directory, logger, say, opened },
      asked: options.embedder ?? null,
      environment: environment.embedder ?? {},
    });
    say(describeChoice(embedder));
    const parts = { database, directory, embedder, start: environmentFor(options, environment) };
    const { services, internal } = await startServices(parts, options, metrics);
    opened.add(() => services.close());
    await awaitEvents(services, say);
    const [internalServer, publicServer] = await openServers(services, internal, options.port, opened, asked);
    const { calls } = services;
    const port = publicServer?.port ?? options.port;
    const { group, apiKey } = await beginWith({ calls, directory, imported, port, say }, options, environment);
    const running = { port, processes: options.processes };
    const connection = (role: string): DatabaseConnection => database.connection(role);
    const wishing = await openDesks({ calls, directory, group, running, screen, connection }, opened);
    return {
      port,
      internalPort: internalServer?.port ?? 0,
      group,
      apiKey,
      connection,
      calls,
      explain: (key, search) => explainFor(calls, key, search),
      working: services.working,
      intake: carryOutStart(wishing, embedder.target, options),
      embedder: variablesOf(embedder.target),
      stop: () => opened.close(),
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
};
