import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** The compiled program: beside this file, or in `dist` when this file runs from its source. */
const entry = (): string => {
  const beside = join(__dirname, 'reader-process.js');
  return existsSync(beside) ? beside : join(__dirname, '..', '..', 'dist', 'sandbox', 'reader-process.js');
};

/** The folder that holds everything the program loads: the nearest one above it with the packages in it. */
const programRoot = (from: string): string => {
  const packages = join(from, 'node_modules', '@hyzyla', 'pdfium');
  return existsSync(packages) || dirname(from) === from ? from : programRoot(dirname(from));
};

/** Node's own wall: what the program needs may be read, nothing may be written, nothing may be started. */
const permissions = (root: string): string[] => {
  const flag = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';
  return [flag, ...['node_modules', 'libs'].map((folder) => `--allow-fs-read=${join(root, folder, '*')}`)];
};

const SEARCHED = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin', '/opt/homebrew/bin'].join(delimiter);

/** Where a program of the system is; undefined where it is not installed. */
export const programAt = (program: string, searched = SEARCHED): string | undefined =>
  searched
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path));

interface Wrapper {
  readonly wall: string;
  readonly command: readonly string[];
}

/** Linux ends a process with the one that started it, however busy it is; elsewhere its time ends it. */
const ORPHAN_SECONDS = process.platform === 'linux' ? 'unlimited' : '3600';
/** A shell that is started without an environment makes a little of its own. */
const RESOURCES = `unset PWD OLDPWD SHLVL _; ulimit -c 0 && ulimit -f 0 && ulimit -n 256 && ulimit -t ${ORPHAN_SECONDS} && exec "$@"`;

const wrappers: readonly Wrapper[] = [
  { wall: 'no core dump, no file written', command: ['sh', '-c', RESOURCES, 'sh'] },
  { wall: 'no network', command: ['unshare', '--map-root-user', '--net'] },
  { wall: 'ends with its parent, gains no rights', command: ['setpriv', '--pdeathsig', 'KILL', '--no-new-privs'] },
];

/** The wrappers that work on this system: each is tried once. */
const usable = (): Wrapper[] =>
  wrappers.flatMap(({ wall, command: [program = '', ...args] }) => {
    const path = programAt(program);
    const nothing = programAt('true');
    if (path === undefined || nothing === undefined) return [];
    const works = spawnSync(path, [...args, nothing], { timeout: 5_000, stdio: 'ignore' }).status === 0;
    return works ? [{ wall, command: [path, ...args] }] : [];
  });

let known: readonly Wrapper[] | undefined;

const usableWrappers = (): readonly Wrapper[] => (known ??= usable());

/** How a process is started behind walls: a program with its arguments, wrapped in what this system offers. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  /** Which walls stand, for the log. */
  readonly walls: readonly string[];
}

/** A command behind the walls of the operating system. */
export const walled = (command: readonly string[]): Command => {
  const wrapped = usableWrappers();
  const [program = '', ...args] = [...wrapped.flatMap((wrapper) => wrapper.command), ...command];
  return { program, args, walls: wrapped.map(({ wall }) => wall) };
};

/** The command of a reading process. */
export const readerCommand = (heapMegabytes: number): Command => {
  const program = entry();
  const command = walled([
    process.execPath,
    `--max-old-space-size=${heapMegabytes}`,
    '--no-warnings',
    '--disable-proto=delete',
    '--disallow-code-generation-from-strings',
    ...permissions(programRoot(dirname(program))),
    program,
  ]);
  return { ...command, walls: ['permissions of Node', ...command.walls] };
};
