import { parseArgs } from 'node:util';
import type { ServiceName } from '@acervo/contracts';
import { replayDeadCommand } from './replay-dead';
import type { AdminCommand } from './admin-commands';

/** The command line names an unknown command or option. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface RequestedCommand {
  readonly command: AdminCommand;
  readonly value: string;
}

/** What the command line of a service needs of its definition. */
interface OffersCommands {
  readonly name: ServiceName;
  readonly commands?: readonly AdminCommand[];
}

/** The parsed command line of a service; empty where the service is to run. */
export interface ParsedArguments {
  readonly help: boolean;
  readonly commands: readonly RequestedCommand[];
  readonly group: string | null;
}

/** All admin commands of a service program. */
export const adminCommandsOf = ({ commands = [] }: Pick<OffersCommands, 'commands'>): readonly AdminCommand[] => [
  ...commands,
  replayDeadCommand,
];

const lineOf = (option: string, about: string): string => `  ${option.padEnd(22)}  ${about}\n`;

/** The help of the program of a service. */
export const helpOf = (definition: OffersCommands): string => {
  const commands = adminCommandsOf(definition);
  const choice = commands.some(({ ofGroups }) => ofGroups) ? [lineOf('--group CODE', 'only for this group')] : [];
  return [
    `The service ${definition.name}. Without an argument it runs. With admin commands it executes these, beside running\n`,
    'processes and in the same environment, and exits: with 0, with 1 after a failure, with 2 for arguments that it does\n',
    'not understand.\n\n',
    ...commands.map(({ name, takes, about }) => lineOf(`--${name}${takes === undefined ? '' : ` ${takes}`}`, about)),
    ...choice,
    lineOf('--help', 'show this text'),
    '\ndocs/configuration.md lists what it reads from its environment, docs/operations.md describes how to run it.\n',
  ].join('');
};

const parse = (argv: readonly string[], commands: readonly Pick<AdminCommand, 'name' | 'takes'>[]) => {
  const options = Object.fromEntries([
    ...commands.map(({ name, takes }) => [name, { type: takes === undefined ? 'boolean' : 'string' }] as const),
    ['group', { type: 'string' }] as const,
    ['help', { type: 'boolean' }] as const,
  ]);
  try {
    return parseArgs({ args: [...argv], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    const { code, message } = error as Error & { readonly code?: string };
    const unknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' || code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL';
    const [, name] = /'([^' ]*)/.exec(message) ?? [];
    const what = unknown ? `There is no argument ${name ?? ''}.` : `${message.replace(/\.$/, '')}.`;
    throw new UsageError(`${what} "--help" lists all options.`);
  }
};

/** Parses the command line of a service program. @throws UsageError */
export const readArguments = (definition: OffersCommands, argv: readonly string[]): ParsedArguments => {
  const available = adminCommandsOf(definition);
  const values = parse(argv, available);
  const commands = available.flatMap((command): RequestedCommand[] => {
    const value = values[command.name];
    return value === undefined ? [] : [{ command, value: typeof value === 'string' ? value : '' }];
  });
  for (const { command, value } of commands)
    if (command.takes !== undefined && value === '') throw new UsageError(`--${command.name} needs ${command.takes}.`);
  const { group } = values;
  if (group !== undefined && !commands.some(({ command }) => command.ofGroups))
    throw new UsageError('--group names the group of another command; add that command. "--help" lists all options.');
  return { help: values['help'] === true, commands, group: typeof group === 'string' ? group : null };
};
