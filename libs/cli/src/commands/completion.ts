import type { Command } from 'commander';
import { exitCodes } from '../exit-codes';
import { CommandFailure } from '../failures';
import type { CommandContext, Options } from './command';

/** Every command with the words that may follow it. */
const wordsOf = (command: Command, path: readonly string[] = []): [string, string[]][] => {
  const names = command.commands.map((each) => each.name());
  const flags = command.options.map(({ long }) => long ?? '').filter((flag) => flag !== '');
  return [
    [path.join(' '), [...names, ...flags]],
    ...command.commands.flatMap((each) => wordsOf(each, [...path, each.name()])),
  ];
};

const cases = (words: readonly [string, string[]][]): string =>
  words
    .toSorted(([one], [other]) => other.length - one.length)
    .map(([path, next]) => `    "${path}"*) words="${next.join(' ')}";;`)
    .join('\n');

const bash = (words: readonly [string, string[]][]): string => `_acervo() {
  local words path="\${COMP_WORDS[*]:1:COMP_CWORD-1}"
  case "$path" in
${cases(words)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _acervo acervo
`;

const zsh = (words: readonly [string, string[]][]): string =>
  `#compdef acervo\nautoload -U +X bashcompinit && bashcompinit\n${bash(words)}`;

const fish = (words: readonly [string, string[]][]): string =>
  words
    .map(([path, next]) => {
      const condition = path === '' ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${path.split(' ').at(-1)}`;
      return `complete -c acervo -f -n '${condition}' -a '${next.join(' ')}'`;
    })
    .join('\n')
    .concat('\n');

const scripts: Readonly<Record<string, (words: readonly [string, string[]][]) => string>> = { bash, zsh, fish };

export const addCompletion = ({ program, open, texts }: CommandContext): void => {
  program
    .command('completion <shell>')
    .description(texts.completion)
    .action((shell: string, _options, command) => {
      const { terminal, messages } = open(command.optsWithGlobals() as Options);
      const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
      if (script === undefined) throw new CommandFailure(exitCodes.usage, messages.unknownShell);
      terminal.print(script(wordsOf(program)));
    });
};
