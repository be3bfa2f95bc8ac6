// The commands and options that programs and tools declare, read from their help and their sources.

const optionsIn = (text) => new Set([...text.matchAll(/(?<![\w-])--([a-z][\w-]*)/g)].map(([, name]) => name));

/** Options by bench. @param source of tools/bench.mjs, whose usage names each bench with its options */
export const benchesIn = (source) => {
  const [, usage = ''] = /const usage = `([^`]*)`/.exec(source) ?? [];
  const benches = new Map();
  for (const section of usage.split(/^npm run bench -- /m).slice(1)) {
    const [, name] = /^([\w-]+)/.exec(section);
    benches.set(name, new Set([...(benches.get(name) ?? []), ...optionsIn(section)]));
  }
  return benches;
};

/** Options of `npm test`. @param source of tools/test.mjs */
export const testOptionsIn = (source) => optionsIn(/const OPTIONS = \[([^\]]*)\]/.exec(source)?.[1] ?? '');

/** The commands that the help of `npm run stack` lists. */
export const stackCommandsIn = (help) => {
  const [, listed = ''] = /^Commands.*\n((?:\s+\S.*\n)+)/m.exec(help) ?? [];
  return new Set([...listed.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name));
};

const DECLARED = /(\w+)\s*\.command\(\s*(?:'([\w-]+)[^']*'|(\w+))|\.option\(\s*'--([\w-]+)|(\.allowUnknownOption)/g;
/** Commands that one statement declares for several names. */
const NAMES = /\['([\w-]+)', texts\./g;

/**
 * Commands of the client: each with its options, the commands below it, and whether it takes options of an operation.
 * @param sources texts of libs/cli/src/commands
 */
export const clientCommandsIn = (sources) => {
  const commands = new Map();
  for (const source of sources) {
    let current = [];
    for (const [, receiver, name, variable, option, isOpen] of source.matchAll(DECLARED)) {
      const names = variable === undefined ? [name] : [...source.matchAll(NAMES)].map(([, each]) => each);
      if (receiver === 'program') {
        current = names.map((each) => ({ options: new Set(), below: new Set(), isOpen: false, name: each }));
        for (const command of current) commands.set(command.name, command);
      } else if (receiver !== undefined) {
        const parent = commands.get(receiver);
        parent?.below.add(name);
        current = parent === undefined ? [] : [parent];
      }
      for (const command of current) {
        if (option !== undefined) command.options.add(option);
        if (isOpen !== undefined) command.isOpen = true;
      }
    }
  }
  return commands;
};

/** Options by generator. @param schemas texts by the name of the generator */
const generatorsIn = (schemas) =>
  new Map(schemas.map(([name, text]) => [name, new Set(Object.keys(JSON.parse(text).properties))]));

const SCHEMA = /([\w-]+)\.schema\.json$/;

/**
 * Everything that a text may name.
 * @param read text of a file, by its path from the root; undefined where it does not exist
 * @param below paths of the files below a folder
 * @param helps help of `npm start` and of `npm run stack`
 */
export const declaredCommands = ({ read, below, helps }) => {
  const admin = JSON.parse(read('libs/platform/service/src/admin-commands/admin-commands.json'));
  return {
    read,
    scripts: new Set(Object.keys(JSON.parse(read('package.json')).scripts)),
    start: optionsIn(helps.start),
    test: testOptionsIn(read('tools/test.mjs')),
    benches: benchesIn(read('tools/bench.mjs')),
    stack: { commands: stackCommandsIn(helps.stack), options: optionsIn(helps.stack) },
    admin: new Map(Object.entries(admin).map(([name, { services = [] }]) => [name, services])),
    generators: generatorsIn(
      below('tools/generators/src')
        .filter((path) => SCHEMA.test(path))
        .map((path) => [SCHEMA.exec(path)[1], read(path)]),
    ),
    client: {
      commands: clientCommandsIn(below('libs/cli/src/commands').map(read)),
      options: new Set([...read('libs/cli/src/run.ts').matchAll(/\.option\('--([\w-]+)/g)].map(([, name]) => name)),
    },
  };
};
