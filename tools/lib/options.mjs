import { accessSync, constants, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Everything `npm start` understands. The help below is made from this table. */
const options = {
  data: { type: 'string', value: 'DIR', text: 'where everything is kept (default: .acervo in this checkout)' },
  port: { type: 'string', value: 'N', text: 'public port (default: 8080)' },
  embedder: { type: 'string', value: 'NAME', text: 'hashing, e5 or one of your own; changes the recorded one' },
  processes: { type: 'boolean', text: 'run each service in a process of its own' },
  'new-key': { type: 'boolean', text: 'issue another API key for the administrator and print it once' },
  'scan-only': { type: 'boolean', text: 'stop when everything found has been taken in' },
  help: { type: 'boolean', text: 'show this text' },
};

export const help = () => `Acervo: search over your own documents, on this machine.

  npm start                         with the sample library that comes along
  npm start -- FOLDER [options]     with the documents of a folder of yours

Options
${Object.entries(options)
  .map(([name, { value, text }]) => `  --${`${name}${value === undefined ? '' : ` ${value}`}`.padEnd(14)}  ${text}`)
  .join('\n')}

Environment
  ACERVO_ADMIN_EMAIL  address of the administrator that the first start creates (default: admin@acervo.local)
  ACERVO_EMBEDDER     embedder of a new data directory (default: e5 where Python 3 can run it, else hashing);
                      with ACERVO_EMBEDDER_URL and ACERVO_EMBEDDER_MODEL one of your own: see docs/embedders.md
  ACERVO_LOG_LEVEL    debug, info, warn or error for the log file in the data directory (default: info)

A later start takes in what is new or changed. Without a folder it goes on with the folders it already knows.
Ctrl-C stops it cleanly. The API key is shown once, when it is made.
`;

/** A mistake in how the program was called: its message is all that a person needs to see. */
export class UsageError extends Error {}

const portOf = (text = '8080') => {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port < 1 || port > 65_535)
    throw new UsageError(`--port takes a number from 1 to 65535, not "${text}".`);
  return port;
};

/** The real folder behind a name. Throws UsageError when it is missing, no folder or not readable. */
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
  return path;
};

const parse = (argv) => {
  try {
    const table = Object.fromEntries(Object.entries(options).map(([name, { type }]) => [name, { type }]));
    return parseArgs({ args: argv, options: table, allowPositionals: true, strict: true });
  } catch (error) {
    const [, name] = /'(-[^' ]*)/.exec(error.message) ?? [];
    const what = error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? `There is no option ${name ?? ''}.` : error.message;
    throw new UsageError(`${what} "npm start -- --help" lists what there is.`);
  }
};

const embedderOf = (name) => {
  if (name !== undefined && !/^[a-z][a-z0-9-]{0,39}$/.test(name))
    throw new UsageError('--embedder takes hashing, e5 or a name of your own in lower case.');
  return name ?? null;
};

/** What a start was asked for, checked before anything is installed. Throws UsageError. */
export const readOptions = (argv) => {
  const { values, positionals } = parse(argv);
  if (values.help === true) return { help: true };
  if (positionals.length > 1) throw new UsageError('Give one folder at a time; the next start can add another.');
  return {
    help: false,
    folder: positionals[0] === undefined ? null : readableFolder(positionals[0]),
    sample: join(root, 'samples', 'library'),
    data: resolve(values.data ?? join(root, '.acervo')),
    port: portOf(values.port),
    processes: values.processes === true,
    newKey: values['new-key'] === true,
    scanOnly: values['scan-only'] === true,
    embedder: embedderOf(values.embedder),
  };
};
