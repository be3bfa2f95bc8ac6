import type { ProvisionedGroup } from '@acervo/contracts';
import type { EmbedderDescription } from '@acervo/models';
import { type AdminCommandRequest, offerOf, type StartOffer } from '@acervo/platform-service';
import type { ControlRequest } from '../kernel/control';
import type { FolderManagers } from '../folders/folder-managers';
import type { Print } from '../kernel/print';
import { plainScreen, type Screen } from '../terminal/progress/screen';
import type { AdminCommandExecutor } from './admin-command-executor';
import { isBrief, type StartEnvironment, type StartOptions } from '../kernel/options';

export interface StartDependencies {
  readonly executor: Pick<AdminCommandExecutor, 'execute'>;
  readonly folderManagers: FolderManagers;
  readonly screen: Screen;
}

type Commands = readonly AdminCommandRequest[];

const thatRun = (commands: Commands, runs: StartOffer['runs']): Commands =>
  commands.filter((request) => offerOf(request)?.runs === runs);

/**
 * The admin commands of a start. The first start of an installation prints its key anyway, and a link where the
 * administrator has no password.
 */
export const commandsOf = (
  { commands = [] }: Pick<StartOptions, 'commands'>,
  { created }: Pick<ProvisionedGroup, 'created'>,
  { administratorPassword }: Pick<StartEnvironment, 'administratorPassword'>,
): Commands => {
  if (!created) return commands;
  const others = commands.filter(({ name }) => name !== 'new-key');
  const hasLink = administratorPassword !== undefined || others.some(({ name }) => name === 'admin-link');
  return hasLink ? others : [{ name: 'admin-link' }, ...others];
};

/** Executes the admin commands that come before the welcome message, which shows the returned key. */
export const executeFirst = async (
  executor: StartDependencies['executor'],
  { group, screen }: { readonly group: Pick<ProvisionedGroup, 'apiKey'>; readonly screen: Screen },
  commands: Commands,
): Promise<{ readonly apiKey: string | null; readonly isDone: boolean }> => {
  let { apiKey } = group;
  const showKey = (key: string): void => void (apiKey = key);
  const isDone = await executor.execute(thatRun(commands, 'first'), { screen, showKey });
  return { apiKey, isDone };
};

/**
 * Executes the other admin commands of this start and ingests its folders, once all services run; returns whether all
 * of it succeeded.
 */
export const executeStart = async (
  { executor, folderManagers, screen }: StartDependencies,
  target: EmbedderDescription,
  options: StartOptions,
): Promise<boolean> => {
  const { commands = [], scanOnly, acceptDeletions, folder: named, passphrase, key } = options;
  const output = { screen, passphrase, key };
  const isDone = await executor.execute(thatRun(commands, undefined), output);
  const [isIngested] = isBrief(options)
    ? [true]
    : await Promise.all([
        folderManagers.open({ watches: !scanOnly, acceptDeletions, named }),
        folderManagers.settle(target),
      ]);
  const isOver = await executor.execute(thatRun(commands, 'last'), output);
  return isDone && isIngested && isOver;
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
  { executor, folderManagers }: Pick<StartDependencies, 'executor' | 'folderManagers'>,
  { commands, folder, acceptDeletions, passphrase, key }: ControlRequest,
  print: Print,
): Promise<boolean> => {
  const output = { screen: plainScreen(print), passphrase, key };
  const first = commands.filter((request) => offerOf(request)?.runs !== 'last');
  const isDone = await executor.execute(first, output);
  const ingests = folder !== null || acceptDeletions;
  const isIngested = !ingests || (await folderManagers.ingestAgain(folder, acceptDeletions, print));
  if (ingests || commands.some((request) => offerOf(request)?.startsWork === true)) folderManagers.followChanges();
  const isOver = await executor.execute(thatRun(commands, 'last'), output);
  return isDone && isIngested && isOver;
};
