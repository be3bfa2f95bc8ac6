import { parseArgs } from 'node:util';
import type { ServiceDefinition } from './definition';
import { replayDeadWish } from './replay-dead';
import type { ServiceConfig } from './service-config';
import type { Wish } from './wishes';

/** Something was asked that there is not. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface AskedWish<C extends ServiceConfig> {
  readonly wish: Wish<C>;
  readonly value: string;
}

/** What the command line of a service asks; nothing at all where the service is to run. */
export interface Asked<C extends ServiceConfig> {
  readonly help: boolean;
  readonly wishes: readonly AskedWish<C>[];
  readonly group: string | null;
}

/** Everything that the program of a service carries out. */
const wishesOf = <C extends ServiceConfig>({ wishes = [] }: ServiceDefinition<C>): readonly Wish<C>[] => [
  ...wishes,
  replayDeadWish,
];

const lineOf = (option: string, about: string): string => `  ${option.padEnd(22)}  ${about}\n`;

/** The help of the program of a service. */
export const helpOf = <C extends ServiceConfig>(definition: ServiceDefinition<C>): string => {
  const wishes = wishesOf(definition);
  const choice = wishes.some(({ ofGroups }) => ofGroups) ? [lineOf('--group CODE', 'only for this group')] : [];
  return [
    `The service ${definition.name}. Without an argument it runs; with others it carries them out beside the processes\n`,
    'that run, in the same environment, and ends: with 0, with 1 where something failed, with 2 where it was not\n',
    'understood.\n\n',
    ...wishes.map(({ name, takes, about }) => lineOf(`--${name}${takes === undefined ? '' : ` ${takes}`}`, about)),
    ...choice,
    lineOf('--help', 'show this text'),
    '\ndocs/configuration.md lists what it reads from its environment, docs/operations.md tells how it is run.\n',
  ].join('');
};

const parse = (argv: readonly string[], wishes: readonly Pick<Wish, 'name' | 'takes'>[]) => {
  const options = Object.fromEntries([
    ...wishes.map(({ name, takes }) => [name, { type: takes === undefined ? 'boolean' : 'string' }] as const),
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
    throw new UsageError(`${what} "--help" lists what there is.`);
  }
};

/** What was asked of the program of a service. @throws UsageError */
export const readArguments = <C extends ServiceConfig>(
  definition: ServiceDefinition<C>,
  argv: readonly string[],
): Asked<C> => {
  const known = wishesOf(definition);
  const values = parse(argv, known);
  const wishes = known.flatMap((wish): AskedWish<C>[] => {
    const value = values[wish.name];
    return value === undefined ? [] : [{ wish, value: typeof value === 'string' ? value : '' }];
  });
  for (const { wish, value } of wishes)
    if (wish.takes !== undefined && value === '') throw new UsageError(`--${wish.name} needs ${wish.takes}.`);
  const { group } = values;
  if (group !== undefined && !wishes.some(({ wish }) => wish.ofGroups))
    throw new UsageError('--group chooses whom something else is for. "--help" lists what there is.');
  return { help: values['help'] === true, wishes, group: typeof group === 'string' ? group : null };
};
