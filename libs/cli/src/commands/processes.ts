import type { Input, Output } from '@acervo/client';
import type { CommandSession } from '../command-session';
import { fill } from '../messages';
import { type CommandContext, integer, type Options, present } from './command';

const HEADS = ['CODE', 'TYPE', 'STATUS', 'PRIORITY', 'DUE', 'ASSIGNED TO', 'NAME'];

const rowOf = (process: Output<'getProcess'>): unknown[] => {
  const { code, process_type, status, priority, due_at, assigned_to, name } = process;
  return [code, process_type, status, priority, due_at, assigned_to, name];
};

const list = async (session: CommandSession, options: Options): Promise<void> => {
  const { status, type: process_type, category, mine, open: only_open, limit, page } = options;
  const input = present({ status, process_type, category, mine, only_open, limit, page });
  const answer = await session.client().listProcesses(input as Input<'listProcesses'>);
  session.present(
    answer,
    ({ processes }) => processes,
    ({ processes, total }) =>
      session.table(HEADS, processes.map(rowOf)) +
      (processes.length < total ? `${fill(session.messages.more, { count: processes.length, total })}\n` : ''),
  );
};

const show = async (session: CommandSession, process_code: string): Promise<void> =>
  session.present(
    await session.client().getProcess({ process_code }),
    (process) => [process],
    ({ tasks, ...process }) =>
      [
        session.fields(process),
        session.table(
          ['NAME', 'STATUS', 'ASSIGNEE'],
          tasks.map(({ name, status, assignee }) => [name, status, assignee]),
        ),
      ].join('\n'),
  );

const usage = async (session: CommandSession): Promise<void> =>
  session.present(
    await session.client().getUsage(),
    ({ quotas }) => quotas,
    ({ quotas, plan_code, period_start, period_end }) =>
      [
        session.fields({ plan_code, period_start, period_end }),
        session.table(
          ['FEATURE', 'USED', 'INCLUDED', 'UNIT', 'AT THE LIMIT'],
          quotas.map(({ feature, used, included, unit, on_limit }) => [feature, used, included, unit, on_limit]),
        ),
      ].join('\n'),
  );

/** Work that people follow, and the plan of the group. */
export const addProcesses = ({ program, open, texts, optionTexts }: CommandContext): void => {
  const session = (command: { optsWithGlobals(): object }): CommandSession =>
    open(command.optsWithGlobals() as Options);
  const processes = program.command('processes').description(texts.processes);
  processes
    .command('list', { isDefault: true })
    .description(texts.processesList)
    .option('--status <status>')
    .option('--type <type>', optionTexts.processType)
    .option('--category <category>')
    .option('--mine')
    .option('--open')
    .option('--limit <n>', '', integer)
    .option('--page <n>', '', integer)
    .action((options: Options, command) => list(session(command), options));
  processes
    .command('show <code>')
    .description(texts.processesShow)
    .action((code: string, _options, command) => show(session(command), code));
  program
    .command('usage')
    .description(texts.usage)
    .action((_options, command) => usage(session(command)));
};
