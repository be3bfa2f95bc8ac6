// The commands and options that a page names are declared by the program that takes them.
import { codeOf, codeSpans } from './page.mjs';

/** Options of every program, and those of other tools that pages name alone. */
const COMMON = new Set(['help', 'version']);
const OF_OTHERS = new Set(['build-arg', 'dry-run', 'max-old-space-size', 'set', 'timeout']);
/** Options of the program of any service, beside its admin commands. */
const OF_SERVICES = new Set(['group', 'help']);

/** The commands of a piece of code: without its comment, values of the environment and synopsis marks. */
const commandsIn = (code) =>
  code
    .replace(/(?:^|\s)# .*$/, '')
    .split(/ && |; | \| (?=\w+ -)|\$\(/)
    .map((part) =>
      part
        .replace(/[[\])]/g, ' ')
        .replace(/ \| /g, ' ')
        .trim()
        .replace(/^(?:[A-Z][A-Z0-9_]*=(?:'[^']*'|"[^"]*"|\S*)\s+)+/, ''),
    )
    .filter((command) => command !== '');

const optionsOf = (words) => words.flatMap((word) => /^--([a-z][\w-]*)/.exec(word)?.[1] ?? []);

const unknown = (words, known, of) =>
  optionsOf(words)
    .filter((name) => !known.has(name) && !COMMON.has(name))
    .map((name) => `--${name}, which ${of} does not take`);

const benchProblems = ([name, ...words], { benches }) => {
  if (name === undefined || /[^a-z-]/.test(name)) return [];
  const known = benches.get(name);
  if (known === undefined) return [`the bench ${name}, which does not exist`];
  return unknown(words, known, `the bench ${name}`);
};

const stackProblems = (words, { stack }) => {
  const [first = 'up'] = words;
  return [
    ...(/^[a-z]+$/.test(first) && !stack.commands.has(first)
      ? [`the command ${first}, which npm run stack does not have`]
      : []),
    ...unknown(words, stack.options, 'npm run stack'),
  ];
};

/** What follows `npm run`. */
const scriptProblems = ([script, dashes, ...words], declared) => {
  if (script === undefined || /[^\w-]/.test(script)) return [];
  if (!declared.scripts.has(script)) return [`npm run ${script}, which package.json does not declare`];
  if (dashes !== '--') return [];
  if (script === 'bench') return benchProblems(words, declared);
  return script === 'stack' ? stackProblems(words, declared) : [];
};

const npmProblems = ([command, ...words], declared) => {
  const rest = words.filter((word) => word !== '-s');
  if (command === 'run') return scriptProblems(rest, declared);
  if (rest[0] !== '--') return [];
  if (command === 'start') return unknown(rest, declared.start, 'npm start');
  return command === 'test' ? unknown(rest, declared.test, 'npm test') : [];
};

/** Options of the program of a service: admin commands that it offers. */
const programProblems = (program, words, { admin }) => {
  const isOffered = (services) =>
    services === 'every' || program === 'SERVICE' || services.some((service) => program.startsWith(service));
  const known = new Set([
    ...[...admin].filter(([, services]) => isOffered(services)).map(([name]) => name),
    ...OF_SERVICES,
  ]);
  return unknown(words, known, `apps/${program}`);
};

const nodeProblems = ([path, ...words], declared) => {
  const [, program] = /^apps\/([\w-]+)\/dist\/main\.js$/.exec(path) ?? [];
  if (program !== undefined) return programProblems(program, words, declared);
  if (path === 'service.js') return unknown(words, new Set([...declared.admin.keys(), ...OF_SERVICES]), 'any service');
  if (!/^tools\/[\w-]+\.mjs$/.test(path)) return [];
  const source = declared.read(path) ?? '';
  return unknown(words, new Set(optionsOf(words).filter((name) => source.includes(name))), path);
};

const clientProblems = ([name, ...words], { client }) => {
  if (/^[^a-z]/.test(name)) return [];
  const command = client.commands.get(name);
  if (command === undefined) return [`acervo ${name}, which is no command of the client`];
  const [first] = words;
  const hasBelow = command.below.size > 0 && /^[a-z]+$/.test(first ?? '');
  if (hasBelow && !command.below.has(first)) return [`acervo ${name} ${first}, which is no command of the client`];
  const known = new Set([...client.options, ...command.options]);
  return command.isOpen && first === 'run' ? [] : unknown(words, known, `acervo ${name}`);
};

/** `nx g @acervo/tools:NAME`. */
const generatorProblems = (words, { generators }) => {
  const [, name] = /^@acervo\/tools:(.*)$/.exec(words[2] ?? '') ?? [];
  if (name === undefined || /[^a-z]/.test(name)) return [];
  const known = generators.get(name);
  return known === undefined
    ? [`the generator ${name}, which does not exist`]
    : unknown(words, known, `the generator ${name}`);
};

const readers = { npm: npmProblems, node: nodeProblems, npx: generatorProblems, acervo: clientProblems };

const problemsOf = (command, declared) => {
  const [program, ...words] = command.split(/\s+/);
  // A table of recipes names each generator without the command in its heading.
  if (declared.generators.has(program))
    return unknown(words, declared.generators.get(program), `the generator ${program}`);
  const read = Object.hasOwn(readers, program) ? readers[program] : undefined;
  return read === undefined || words.length === 0 || words[0] === '=' ? [] : read(words, declared);
};

/** Options that stand alone, as `--rebuild`: any program may take them. */
const aloneProblems = (code, { start, test, benches, stack, admin, generators, client }) => {
  const all = [start, test, stack.options, client.options, OF_OTHERS, OF_SERVICES, new Set(admin.keys())];
  const ofClient = [...client.commands.values()].map(({ options }) => options);
  const isKnown = (name) =>
    [...all, ...benches.values(), ...generators.values(), ...ofClient].some((names) => names.has(name));
  return optionsOf(code.split(/[\s|]+/))
    .filter((name) => !isKnown(name))
    .map((name) => `--${name}, which no program takes`);
};

/** Commands and options of a page that nothing declares. @param declared see `declaredCommands` */
export const commandProblems = (page, text, declared) => [
  ...codeOf(text).flatMap(({ at, code }) =>
    commandsIn(code)
      .flatMap((command) => problemsOf(command, declared))
      .map((problem) => `${page}:${at} names ${problem}: correct the command.`),
  ),
  ...codeSpans(text)
    .filter(({ code }) => code.startsWith('--'))
    .flatMap(({ at, code }) =>
      aloneProblems(code, declared).map((problem) => `${page}:${at} names ${problem}: correct it.`),
    ),
];
