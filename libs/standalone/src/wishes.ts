import { retryFailed } from '@acervo/contracts';
import type { EmbedderDescription } from '@acervo/models';
import type { Calls } from '@acervo/platform-calls';
import type { DatabaseConnection } from '@acervo/platform-database';
import { verifyAuditFor } from './audit-desk';
import type { ControlRequest } from './control';
import type { DataDirectory } from './data-directory';
import type { Desks } from './desks';
import { replayDeadFor } from './events-desk';
import { eachGroup, type Group, groupsOf } from './groups';
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

/** Has every failed document of all groups worked on again, and says how many those are. */
const retryFailedOf = async (calls: Calls, groups: readonly Group[], say: Say): Promise<void> => {
  let total = 0;
  for (const { scope } of groups) total += (await calls.send(retryFailed, scope, {})).documents;
  if (total === 0) return say('No document has failed.');
  say(
    total === 1
      ? '1 document that had failed is worked on again.'
      : `${total} documents that had failed are worked on again.`,
  );
};

type Upkeep = Pick<ControlRequest, 'verifyAudit' | 'replayDead' | 'retryFailed' | 'exportTo'>;

/** What needs no look at a folder; answers whether all was as it should be. @throws ExportUnusable */
const carryOutUpkeep = async (
  { calls, directory, connection }: WishParts,
  wishes: Upkeep,
  say: Say,
): Promise<boolean> => {
  const groups = await groupsOf(calls);
  const isSound =
    wishes.verifyAudit !== true || (await eachGroup(groups, say, ({ scope }) => verifyAuditFor(calls, scope, say)));
  if (wishes.replayDead === true) await replayDeadFor(connection, say);
  if (wishes.retryFailed) await retryFailedOf(calls, groups, say);
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
