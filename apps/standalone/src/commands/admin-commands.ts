import { retryFailedIn } from '@acervo/ingestion';
import type { EmbedderDescription } from '@acervo/models';
import { verifyAuditIn } from '@acervo/operations';
import type { Calls } from '@acervo/platform-calls';
import type { DatabaseConnection } from '@acervo/platform-database';
import type { WorkScope } from '@acervo/rbac';
import type { ControlRequest } from '../supervisor/control';
import type { DataDirectory } from '../resources/data-directory';
import type { FolderManagers } from '../folders/folder-managers';
import { replayDeadFor } from './replay-dead-events';
import { eachGroup } from '../folders/groups';
import type { Print } from '../folders/ingest-folder';
import { isBrief, type StartOptions } from './options';
import { plainScreen, type Screen } from '../terminal/progress/screen';
import { exportInstallation } from '../transfer/exporting';

export interface AdminCommandDependencies {
  readonly calls: Calls;
  readonly directory: DataDirectory;
  readonly connection: (role: string) => DatabaseConnection;
  readonly folderManagers: FolderManagers;
  readonly screen: Screen;
}

type Upkeep = Pick<ControlRequest, 'verifyAudit' | 'replayDead' | 'retryFailed' | 'exportTo'>;

/**
 * The admin commands that ingest no folder; returns false if the audit chain of a group is broken.
 * @throws ExportUnusable
 */
const executeUpkeep = async (
  { calls, folderManagers, directory, connection }: AdminCommandDependencies,
  commands: Upkeep,
  print: Print,
): Promise<boolean> => {
  const inEach = async (work: (scope: WorkScope) => Promise<boolean>): Promise<boolean> =>
    eachGroup(await folderManagers.allGroups(), print, ({ scope }) => work(scope));
  const isSound = commands.verifyAudit !== true || (await inEach((scope) => verifyAuditIn(calls, scope, print)));
  if (commands.replayDead === true) await replayDeadFor(connection, print);
  if (commands.retryFailed)
    await inEach(async (scope) => {
      await retryFailedIn(calls, scope, print);
      return true;
    });
  if (typeof commands.exportTo === 'string') await exportInstallation(calls, directory, commands.exportTo, print);
  return isSound;
};

/** Executes the admin commands of this start once all services run; returns whether all of them succeeded. */
export const executeStart = async (
  dependencies: AdminCommandDependencies,
  target: EmbedderDescription,
  options: StartOptions,
): Promise<boolean> => {
  const { folderManagers, screen } = dependencies;
  const { scanOnly, acceptDeletions, folder: named } = options;
  const isSound = await executeUpkeep(dependencies, options, screen.print);
  if (options.status) await folderManagers.printStatus(screen.print);
  if (isBrief(options)) return isSound;
  const isRebuilt = options.rebuild !== true || (await folderManagers.rebuild(screen));
  const [isIngested] = await Promise.all([
    folderManagers.open({ watches: !scanOnly, acceptDeletions, named }),
    folderManagers.settle(target),
  ]);
  return isSound && isRebuilt && isIngested;
};

/** The options of the running program that a later start cannot change. */
export type Running = Pick<StartOptions, 'port' | 'processes'>;

/** The flags of a request that only a new start can apply, as the user wrote them. */
export const onlyAtStart = (
  { embedder = null, port, portNamed, processes, scanOnly }: ControlRequest,
  running: Running,
): string[] => [
  ...(embedder === null ? [] : [`--embedder ${embedder}`]),
  ...(portNamed === true && port !== running.port ? [`--port ${port}`] : []),
  ...(processes === true && !running.processes ? ['--processes'] : []),
  ...(scanOnly === true ? ['--scan-only'] : []),
];

/** Executes the request of another start on the same directory; returns whether all of it succeeded. */
export const executeRequest = async (
  dependencies: AdminCommandDependencies,
  request: ControlRequest,
  print: Print,
): Promise<boolean> => {
  const { folderManagers } = dependencies;
  const { folder, acceptDeletions, status } = request;
  const isSound = await executeUpkeep(dependencies, request, print);
  const isRebuilt = request.rebuild !== true || (await folderManagers.rebuild(plainScreen(print)));
  const ingests = folder !== null || acceptDeletions;
  const isIngested = !ingests || (await folderManagers.ingestAgain(folder, acceptDeletions, print));
  if (ingests || request.retryFailed) folderManagers.followChanges();
  if (status) await folderManagers.printStatus(print);
  return isSound && isRebuilt && isIngested;
};
