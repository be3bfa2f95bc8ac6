import type { ServiceName } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { type Environment, readConfig } from '@acervo/platform-config';
import { appRole, Database, type DatabaseConnection } from '@acervo/platform-database';
import {
  type AdminCommand,
  type AdminCommandContext,
  AdminCommandFailed,
  type AdminCommandRequest,
  declaredCommands,
  offerOf,
  orNothing,
} from '@acervo/platform-service';
import type { CopyDatabase } from '../backup/backing-up';
import type { DataDirectory } from '../resources/data-directory';
import type { FolderManagers } from '../folders/folder-managers';
import { installedServices } from '../kernel/service-list';
import type { Screen } from '../terminal/progress/screen';
import { startCommands } from './start-commands';
import { StartGroups } from './start-groups';

export interface AdminCommandDependencies {
  readonly calls: Calls;
  readonly directory: DataDirectory;
  readonly connection: (role: string) => DatabaseConnection;
  readonly environmentOf: (service: ServiceName) => Environment;
  readonly folderManagers: FolderManagers;
  /** Copies the data files of the embedded database; absent where the database or the objects are on a server. */
  readonly copyDatabase?: CopyDatabase | undefined;
}

/** Where the output of admin commands goes. */
export interface Output extends Pick<AdminCommandContext, 'showKey'> {
  readonly screen: Screen;
  /** Encrypts a backup. */
  readonly passphrase?: string | undefined;
  /** The API key of the user who asks. */
  readonly key?: string | undefined;
}

type Shared = Omit<AdminCommandContext, 'service' | 'config' | 'database'> & { readonly screen: Screen };

const named = <C>(commands: readonly AdminCommand<C>[], name: string): AdminCommand<C> | undefined =>
  commands.find((command) => command.name === name);

const order = Object.keys(declaredCommands);
const inOrder = (requested: readonly AdminCommandRequest[]): readonly AdminCommandRequest[] =>
  requested.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name));

/** Executes admin commands of `npm start`: its own, and those of the services that run here. */
export class AdminCommandExecutor {
  constructor(private readonly dependencies: AdminCommandDependencies) {}

  /** Executes commands in their declared order; returns whether all succeeded. @throws AdminCommandFailed */
  async execute(requested: readonly AdminCommandRequest[], output: Output): Promise<boolean> {
    for (const request of requested) assertOffered(request);
    let isDone = true;
    for (const request of inOrder(requested)) if (!(await this.executeOne(request, output))) isDone = false;
    return isDone;
  }

  private executeOne(
    { name, value = '' }: AdminCommandRequest,
    { screen, showKey, passphrase, key }: Output,
  ): Promise<boolean> {
    const { calls, folderManagers, directory, copyDatabase } = this.dependencies;
    return orNothing(declaredCommands[name], screen.print, async (print) => {
      const groups = new StartGroups(folderManagers, name, print);
      const shared: Shared = { calls, cause: name, value, groups, print, screen: { ...screen, print }, showKey };
      const command = named(startCommands, name);
      if (command === undefined) return this.executeInServices(name, shared);
      return (await command.execute({ ...shared, directory, folderManagers, copyDatabase, passphrase, key })) !== false;
    });
  }

  private async executeInServices(name: string, shared: Shared): Promise<boolean> {
    let isDone = true;
    for (const { name: service, commands } of installedServices) {
      const command = named(commands, name);
      if (command !== undefined && !(await this.executeIn(service, command, shared))) isDone = false;
    }
    return isDone;
  }

  /** Executes a command of a service; a connection to its database is opened where the command uses one. */
  private async executeIn(service: ServiceName, command: AdminCommand, shared: Shared): Promise<boolean> {
    const { connection, environmentOf } = this.dependencies;
    let opened: Database | undefined;
    const open = (): Database =>
      (opened ??= new Database({ ...connection(appRole(service)), priority: 'background', max: 1 }));
    const config: AdminCommandContext['config'] = (type) => readConfig(type, environmentOf(service));
    const context = {
      ...shared,
      service,
      config,
      get database() {
        return open();
      },
    };
    try {
      return (await command.execute(context)) !== false;
    } finally {
      await opened?.close();
    }
  }
}

/** @throws AdminCommandFailed for a name that only another version of this program knows */
const assertOffered = (request: AdminCommandRequest): void => {
  if (offerOf(request) === undefined)
    throw new AdminCommandFailed(
      `The running program has another version and no command --${request.name}. Stop it, start it again and repeat the command.`,
    );
};
