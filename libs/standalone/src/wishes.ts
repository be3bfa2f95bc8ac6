import { retryFailedIn } from '@acervo/ingestion';
import type { EmbedderDescription } from '@acervo/models';
import { verifyAuditIn } from '@acervo/operations';
import type { Calls } from '@acervo/platform-calls';
import type { DatabaseConnection } from '@acervo/platform-database';
import type { WorkScope } from '@acervo/rbac';
import type { ControlRequest } from './control';
import type { DataDirectory } from './data-directory';
import type { Desks } from './desks';
import { replayDeadFor } from './events-desk';
import { eachGroup } from './groups';
import type { Say } from './intake';
import { isBrief, type StartOptions } from './options';
import { plainScreen, type Screen } from './progress/screen';
import { exportInstallation } from './transfer/exporting';

export interface WishParts {
  readonly calls: Calls;
  readonly directory: DataDirectory;
  readonly connection: (role: string) => DatabaseConnection;
  readonly desks: Desks;
  readonly screen: Screen;
}

type Upkeep = Pick<ControlRequest, 'verifyAudit' | 'replayDead' | 'retryFailed' | 'exportTo'>;

/** What needs no look at a folder; answers whether all was as it should be. @throws ExportUnusable */
const carryOutUpkeep = async (
  { calls, desks, directory, connection }: WishParts,
  wishes: Upkeep,
  say: Say,
): Promise<boolean> => {
  const inEach = async (work: (scope: WorkScope) => Promise<boolean>): Promise<boolean> =>
    eachGroup(await desks.allGroups(), say, ({ scope }) => work(scope));
  const isSound = wishes.verifyAudit !== true || (await inEach((scope) => verifyAuditIn(calls, scope, say)));
  if (wishes.replayDead === true) await replayDeadFor(connection, say);
  if (wishes.retryFailed)
    await inEach(async (scope) => {
      await retryFailedIn(calls, scope, say);
      return true;
    });
  if (typeof wishes.exportTo === 'string') await exportInstallation(calls, directory, wishes.exportTo, say);
  return isSound;
};

/** What this start was asked for, once everything runs; resolves when all of it is done, with whether it could be. */
export const carryOutStart = async (
  parts: WishParts,
  target: EmbedderDescription,
  options: StartOptions,
): Promise<boolean> => {
  const { desks, screen } = parts;
  const { scanOnly, acceptDeletions, folder: named } = options;
  const isSound = await carryOutUpkeep(parts, options, screen.say);
  if (options.status) await desks.tellStatus(screen.say);
  if (isBrief(options)) return isSound;
  const isRebuilt = options.rebuild !== true || (await desks.rebuild(screen));
  const [isTaken] = await Promise.all([
    desks.open({ watches: !scanOnly, acceptDeletions, named }),
    desks.settle(target),
  ]);
  return isSound && isRebuilt && isTaken;
};

/** How this program runs, which another start cannot change. */
export type Running = Pick<StartOptions, 'port' | 'processes'>;

/** Those of the wishes of another start that only a start can fulfil, as they were written. */
export const onlyAtStart = (
  { embedder = null, port, portNamed, processes, scanOnly }: ControlRequest,
  running: Running,
): string[] => [
  ...(embedder === null ? [] : [`--embedder ${embedder}`]),
  ...(portNamed === true && port !== running.port ? [`--port ${port}`] : []),
  ...(processes === true && !running.processes ? ['--processes'] : []),
  ...(scanOnly === true ? ['--scan-only'] : []),
];

/** What another start on the same directory asks for while this program runs; answers whether all of it was done. */
export const carryOutRequest = async (parts: WishParts, request: ControlRequest, say: Say): Promise<boolean> => {
  const { desks } = parts;
  const { folder, acceptDeletions, status } = request;
  const isSound = await carryOutUpkeep(parts, request, say);
  const isRebuilt = request.rebuild !== true || (await desks.rebuild(plainScreen(say)));
  const takes = folder !== null || acceptDeletions;
  const isTaken = !takes || (await desks.takeAgain(folder, acceptDeletions, say));
  if (takes || request.retryFailed) desks.followChanges();
  if (status) await desks.tellStatus(say);
  return isSound && isRebuilt && isTaken;
};
