import { accessSync, constants, existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The admin commands that `npm start` offers. The programs of the services have the same declarations. */
const declarations = join(root, 'libs', 'platform', 'service', 'src', 'admin-commands', 'admin-commands.json');
const commands = Object.entries(JSON.parse(readFileSync(declarations, 'utf8'))).filter(([, { start }]) => start);

/** The options of the commands below a heading of the help. */
const commandsBelow = (heading) =>
  Object.fromEntries(
    commands
      .filter(([, { start }]) => start.heading === heading)
      .map(([name, { takes, about }]) => [
        name,
        { type: takes === undefined ? 'boolean' : 'string', value: takes, text: about },
      ]),
  );

/** All options of `npm start`, in the groups of the help, which is generated from this table. */
const groups = {
  'Where and how it runs': {
    data: { type: 'string', value: 'DIR', text: 'where everything is kept (default: .acervo in this checkout)' },
    port: { type: 'string', value: 'N', text: 'public port (default: 8080)' },
    import: { type: 'string', value: 'FILE', text: 'create a new data directory from an export' },
    restore: { type: 'string', value: 'FILE', text: 'create a new data directory from a backup' },
    processes: { type: 'boolean', text: 'run each service in a process of its own' },
    'scan-only': { type: 'boolean', text: 'stop when everything found is ingested' },
    embedder: { type: 'string', value: 'NAME', text: 'hashing, e5 or one of your own; changes the recorded one' },
    plain: { type: 'boolean', text: 'lines instead of a bar, as in pipes, with NO_COLOR and with CI' },
  },
  'Documents, also while another start runs': {
    ...commandsBelow('Documents'),
    'accept-deletions': { type: 'boolean', text: 'accept deletions, even of most files at once' },
  },
  'Upkeep, also while another start runs': commandsBelow('Upkeep'),
  'People, also while another start runs': commandsBelow('People'),
  'This text': { help: { type: 'boolean', short: 'h', text: 'show it' } },
};
const options = Object.assign({}, ...Object.values(groups));

const optionLine = ([name, { value, text }]) =>
  `  --${`${name}${value === undefined ? '' : ` ${value}`}`.padEnd(18)}  ${text}`;

export const help = () => `Acervo: search over your own documents, on this machine.

  npm start                         with the sample library that comes along
  npm start -- FOLDER [options]     with the documents of a folder of yours

${Object.entries(groups)
  .map(([title, of]) => `${title}\n${Object.entries(of).map(optionLine).join('\n')}`)
  .join('\n\n')}

Environment of a first start
  ACERVO_ADMIN_EMAIL     address of the administrator (default: admin@acervo.local)
  ACERVO_ADMIN_PASSWORD  password of the administrator; without it that start prints a link
  ACERVO_EMBEDDER        embedder of a new data directory (default: e5 where its weights can be had, else hashing);
                         with ACERVO_EMBEDDER_URL and ACERVO_EMBEDDER_MODEL one of your own: see docs/embedders.md

Environment of every start
  ACERVO_EMBEDDER_E5_FILE   weights of e5 for a machine without a network: see docs/embedders.md
  ACERVO_BACKUP_PASSPHRASE  encrypts what --backup writes, and opens it for --restore
  ACERVO_SMTP_URL        mail server, as smtp://user:password@host:port; without it mails are files in the data directory
  ACERVO_MAIL_FROM       sender of mails (default: Acervo <acervo@localhost>)
  ACERVO_FOLDER_ROOTS    folders below which a group may add folders over the network, as G1=/srv/documents; none unless set
  ACERVO_RESCAN_SECONDS  seconds after which a folder is scanned again by itself (default: 900; 0 for never)
  ACERVO_LOG_LEVEL       debug, info, warn or error for the log file in the data directory (default: info)
  ACERVO_OTLP_URL        OpenTelemetry receiver of spans (OTLP over HTTP); none without it: see docs/operations.md
  ACERVO_EXTRACTION_*, ACERVO_OCR*, ACERVO_UNSTRUCTURED_*, ACERVO_LARGEST_FILE_MB   how files are read: see docs/extraction.md
  ACERVO_CPU_THREADS, ACERVO_STAGE_CONCURRENCY, ACERVO_DATABASE_POOL, ACERVO_RECONCILE_*, ACERVO_OBJECT_GRACE_HOURS
                         how much at once, and how often: see docs/configuration.md
  ACERVO_DATABASE_*, ACERVO_EVENTS, ACERVO_LEXICAL, ACERVO_OBJECT_STORE, ACERVO_QUEUE, ACERVO_COUNTERS
                         engines instead of the embedded ones, and how they are reached: see docs/engines.md

While it runs, Acervo ingests changes in its folders by itself. A second start with the same data directory passes its
folder and its admin commands to the running program. A later start ingests new and changed files; without a folder it
continues with the registered ones. A file .acervoignore in a folder names what is not read, as .gitignore does.
Ctrl-C stops Acervo cleanly. The API key is shown once, when it is made. docs/running.md describes all of this.
`;

/** A wrong argument: its message suffices for the user. */
export class UsageError extends Error {}

const portOf = (text = '8080') => {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port < 1 || port > 65_535)
    throw new UsageError(`--port takes a number from 1 to 65535, not "${text}".`);
  return port;
};

const addressOf = (name, text) => {
  if (!/^[^\s@]{1,64}@[^\s@]{1,255}$/.test(text))
    throw new UsageError(`--${name} takes an address such as ana@example.org, not "${text}".`);
  return text;
};

/** The path with links resolved; missing parts of the path stay as named. */
const realOf = (path) => {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realOf(above), basename(path));
  }
};

/** The folder of a name, with links resolved. @throws UsageError if it is missing, no folder or not readable */
export const readableFolder = (name) => {
  const path = resolve(name);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new UsageError(`The folder ${path} does not exist; check the name.`);
  if (!stats.isDirectory()) throw new UsageError(`${path} is a file; give the folder that it lies in.`);
  try {
    accessSync(path, constants.R_OK | constants.X_OK);
  } catch {
    throw new UsageError(`The folder ${path} cannot be read by this user; grant access or choose another.`);
  }
  return realOf(path);
};

/** Whether a path equals another, or is inside it. */
const within = (path, outer) => path === outer || path.startsWith(outer.endsWith(sep) ? outer : `${outer}${sep}`);

/** The folder and the data directory must not overlap: internal files would be ingested as documents. */
const assertApart = (folder, data) => {
  if (within(folder, data))
    throw new UsageError(`${folder} lies in the data directory ${data}; name a folder with documents.`);
  const isHidden = relative(folder, data)
    .split(sep)
    .some((name) => name.startsWith('.'));
  if (within(data, folder) && !isHidden)
    throw new UsageError(
      `The data directory ${data} lies in the folder ${folder}, which would ingest itself; choose one beside it with --data.`,
    );
};

/** Adds the declared value to a command whose value may be left out. */
const withDefaults = (argv) =>
  argv.map((argument, index) => {
    const [name, { default: value } = {}] = commands.find(([each]) => argument === `--${each}`) ?? [];
    const next = argv[index + 1];
    if (value === undefined || (next !== undefined && !next.startsWith('-'))) return argument;
    return `--${name}=${value.replace('{date}', new Date().toISOString().slice(0, 10))}`;
  });

const parse = (argv) => {
  try {
    const table = Object.fromEntries(
      Object.entries(options).map(([name, { type, short }]) => [
        name,
        { type, ...(short === undefined ? {} : { short }) },
      ]),
    );
    return parseArgs({ args: withDefaults(argv), options: table, allowPositionals: true, strict: true });
  } catch (error) {
    const [, name] = /'(-[^' ]*)/.exec(error.message) ?? [];
    const what = error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? `There is no option ${name ?? ''}.` : error.message;
    throw new UsageError(`${what} "npm start -- --help" lists all options.`);
  }
};

/** Path of a new file in an existing folder. */
const newFile = (_name, text) => {
  const path = resolve(text);
  if (existsSync(path) || existsSync(`${path}.secrets`))
    throw new UsageError(`${path} or the file of its secrets is there already; name another file.`);
  if (!existsSync(dirname(path))) throw new UsageError(`The folder ${dirname(path)} does not exist; check the name.`);
  return path;
};

/** Path of an existing file. */
const existingFile = (_name, text) => {
  const path = resolve(text);
  if (!existsSync(path)) throw new UsageError(`${path} is not there; check the name.`);
  return path;
};

const planOfGroup = (name, text) => {
  if (!/^[^\s=]+=\S+$/.test(text))
    throw new UsageError(`--${name} takes the codes of a group and a plan, as in G1=BASIC, not "${text}".`);
  return text;
};

/** How the value of a command is checked, by what the command takes. */
const checks = { EMAIL: addressOf, '[FILE]': newFile, FILE: existingFile, 'GROUP=CODE': planOfGroup };

/** The commands of a start, in the order of their execution. */
const commandsIn = (values) =>
  commands
    .filter(([name]) => values[name] !== undefined)
    .map(([name, { takes }]) => {
      if (takes === undefined) return { name };
      if (values[name] === '') throw new UsageError(`--${name} needs ${takes.replace(/[[\]]/g, '')}.`);
      return { name, value: checks[takes]?.(name, values[name]) ?? values[name] };
    });

const sourceFile = (option, name) => (name === undefined ? null : existingFile(option, name));

const embedderOf = (name) => {
  if (name !== undefined && !/^[a-z][a-z0-9-]{0,39}$/.test(name))
    throw new UsageError('--embedder takes hashing, e5 or a name of your own in lower case.');
  return name ?? null;
};

/** The options of a start, checked before anything is installed. @throws UsageError */
export const readOptions = (argv) => {
  const { values, positionals } = parse(argv);
  if (values.help === true) return { help: true };
  if (values.import !== undefined && values.restore !== undefined)
    throw new UsageError('A data directory begins with --import or with --restore, not with both.');
  if (positionals.length > 1) throw new UsageError('Give one folder at a time; the next start can add another.');
  const folder = positionals[0] === undefined ? null : readableFolder(positionals[0]);
  const data = realOf(resolve(values.data ?? join(root, '.acervo')));
  if (folder !== null) assertApart(folder, data);
  return {
    help: false,
    folder,
    sample: join(root, 'samples', 'library'),
    data,
    port: portOf(values.port),
    portNamed: values.port !== undefined,
    processes: values.processes === true,
    commands: commandsIn(values),
    scanOnly: values['scan-only'] === true,
    acceptDeletions: values['accept-deletions'] === true,
    importFrom: sourceFile('import', values.import),
    restoreFrom: sourceFile('restore', values.restore),
    plain: values.plain === true,
    embedder: embedderOf(values.embedder),
  };
};
