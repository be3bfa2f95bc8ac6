import type { Input, Output } from '@acervo/client';
import { fill } from '../messages';
import type { CommandSession } from '../command-session';
import { bar } from '../text';
import { type CommandContext, integer, type Options, present } from './command';

const POLL_MS = 2_000;
const UNFINISHED = ['PENDING', 'IN_PROGRESS', 'WAITING'] as const;

const queueTable = (session: CommandSession, { items }: Output<'listQueue'>): string =>
  session.table(
    ['DOCUMENT', 'PROCESS', 'STATUS', 'TRIES', 'NAME', 'REASON'],
    items.map(({ document_code, process, status, attempts, document_name, reason }) => [
      document_code,
      process,
      status,
      attempts,
      document_name,
      reason,
    ]),
  );

const unfinished = async (session: CommandSession, process: unknown): Promise<Readonly<Record<string, number>>> => {
  const client = session.client();
  const totals: Record<string, number> = {};
  for (const status of UNFINISHED)
    totals[status] = (await client.listQueue(present({ process, status, limit: 1 }) as Input<'listQueue'>)).total;
  return totals;
};

/** Follows the queue until nothing waits or runs. */
const watchQueue = async (session: CommandSession, process: unknown): Promise<void> => {
  const { terminal, messages } = session;
  for (let most = 0; ;) {
    const totals = await unfinished(session, process);
    const remaining = Object.values(totals).reduce((sum, count) => sum + count, 0);
    most = Math.max(most, remaining);
    if (session.isForPrograms) terminal.print(`${JSON.stringify({ remaining, ...totals })}\n`);
    else if (remaining > 0)
      terminal.progress(`${bar(most - remaining, most)} ${fill(messages.remaining, { count: remaining })}`);
    if (remaining === 0) break;
    await terminal.pause(POLL_MS);
  }
  if (session.isForPrograms) return;
  terminal.progress('');
  terminal.print(`${messages.queueEmpty}\n`);
};

const queue = async (session: CommandSession, { process, status, limit, watch }: Options): Promise<void> => {
  if (watch === true) return watchQueue(session, process);
  const answer = await session.client().listQueue(present({ process, status, limit }) as Input<'listQueue'>);
  session.present(
    answer,
    ({ items }) => items,
    (page) =>
      queueTable(session, page) +
      (page.items.length < page.total
        ? `${fill(session.messages.more, { count: page.items.length, total: page.total })}\n`
        : ''),
  );
};

const runsTable = (session: CommandSession, { runs }: Output<'listRuns'>): string =>
  session.table(
    ['RUN', 'LOCATION', 'STATUS', 'PROGRESS', 'SEEN', 'ADDED', 'CHANGED', 'MISSING', 'WAITING'],
    runs.map(({ run, location_code, status, seen, added, changed, missing, waiting }) => [
      run,
      location_code,
      status,
      bar(seen - waiting, seen),
      seen,
      added,
      changed,
      missing,
      waiting,
    ]),
  );

const runs = async (session: CommandSession, { limit }: Options): Promise<void> =>
  session.present(
    await session.client().listRuns(present({ limit: limit as number | undefined })),
    (answer) => answer.runs,
    (answer) => runsTable(session, answer),
  );

/** How far the work on documents is. */
export const addWork = ({ program, open, texts }: CommandContext): void => {
  program
    .command('queue')
    .description(texts.queue)
    .option('--process <process>')
    .option('--status <status>')
    .option('--limit <n>', '', integer)
    .option('--watch')
    .action((options: Options, command) => queue(open(command.optsWithGlobals() as Options), options));
  program
    .command('runs')
    .description(texts.runs)
    .option('--limit <n>', '', integer)
    .action((options: Options, command) => runs(open(command.optsWithGlobals() as Options), options));
};
