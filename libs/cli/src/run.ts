import { Command, CommanderError } from 'commander';
import { addAsking } from './commands/asking';
import { addCompletion } from './commands/completion';
import type { CommandContext } from './commands/command';
import { addDocuments } from './commands/documents';
import { addLogin } from './commands/login';
import { addMcp } from './commands/mcp';
import { addOperations } from './commands/operations';
import { addProcesses } from './commands/processes';
import { addSkills } from './commands/skills';
import { addSpaces } from './commands/spaces';
import { addTrees } from './commands/trees';
import { addWork } from './commands/work';
import { exitCodes } from './exit-codes';
import { reportLines, reportOf } from './failures';
import { messagesFor } from './messages';
import { type GlobalOptions, CommandSession } from './command-session';
import type { Terminal } from './terminal';

const everyCommand = [
  addLogin,
  addDocuments,
  addAsking,
  addTrees,
  addSpaces,
  addWork,
  addOperations,
  addSkills,
  addProcesses,
  addMcp,
  addCompletion,
];

/** Describes, by their names, the options of a command and of those below it that have no description of their own. */
const describeOptions = (command: Command, texts: Readonly<Record<string, string | undefined>>): void => {
  for (const option of command.options) {
    const text = texts[option.attributeName()];
    if (text !== undefined) option.description ||= text;
  }
  for (const below of command.commands) describeOptions(below, texts);
};

const programOf = (terminal: Terminal, version: string): Command => {
  const messages = messagesFor(terminal.environment);
  const program = new Command('acervo')
    .description(messages.program)
    .version(version)
    .option('--profile <name>')
    .option('--url <url>')
    .option('--json')
    .option('--jsonl')
    .exitOverride()
    .configureOutput({ writeOut: (text) => terminal.print(text), writeErr: (text) => terminal.printError(text) });
  const open = (options: GlobalOptions): CommandSession => new CommandSession(terminal, options);
  const context: CommandContext = { program, open, texts: messages.commands, optionTexts: messages.options };
  for (const add of everyCommand) add(context);
  describeOptions(program, messages.options);
  return program;
};

/** Runs one command line, without the names of the program. @returns its exit code */
export const runCommand = async (args: readonly string[], terminal: Terminal, version: string): Promise<number> => {
  try {
    await programOf(terminal, version).parseAsync([...args], { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    const report = reportOf(error, messagesFor(terminal.environment));
    const isForPrograms = args.includes('--json') || args.includes('--jsonl');
    const { exitCode, requestId: request_id, ...shown } = report;
    terminal.printError(isForPrograms ? `${JSON.stringify({ ...shown, request_id })}\n` : reportLines(report));
    return exitCode;
  }
};
