import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** The compiled program: beside this file, or in `dist` if this file runs from its source. */
const entry = (): string => {
  const beside = join(__dirname, 'reader-process.js');
  return existsSync(beside) ? beside : join(__dirname, '..', '..', 'dist', 'sandbox', 'reader-process.js');
};

/** The root folder of everything that the program loads: the nearest parent with its packages. */
const programRoot = (from: string): string => {
  const packages = join(from, 'node_modules', '@hyzyla', 'pdfium');
  return existsSync(packages) || dirname(from) === from ? from : programRoot(dirname(from));
};

/** The permission model of Node: the program may read its files, write nothing and start nothing. */
const permissions = (root: string): string[] => {
  const flag = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';
  return [flag, ...['node_modules', 'libs'].map((folder) => `--allow-fs-read=${join(root, folder, '*')}`)];
};

const SEARCHED = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin', '/opt/homebrew/bin'].join(delimiter);

/** The path of a system program; undefined if it is not installed. */
export const programAt = (program: string, searched = SEARCHED): string | undefined =>
  searched
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path));

interface Wrapper {
  readonly wall: string;
  /** Commands for this wall, the best first. */
  readonly commands: readonly (readonly string[])[];
}

interface Standing {
  readonly wall: string;
  readonly command: readonly string[];
}

/** Linux ends a process with its parent, however busy it is; elsewhere its CPU time limit ends it. */
const ORPHAN_SECONDS = process.platform === 'linux' ? 'unlimited' : '3600';
/** A shell without an environment creates these variables itself. */
const RESOURCES = `unset PWD OLDPWD SHLVL _; ulimit -c 0 && ulimit -f 0 && ulimit -n 256 && ulimit -t ${ORPHAN_SECONDS} && exec "$@"`;

const DEATH = ['setpriv', '--pdeathsig', 'KILL', '--no-new-privs'];

/** In wrapping order. */
const wrappers: readonly Wrapper[] = [
  { wall: 'no core dump, no file written', commands: [['sh', '-c', RESOURCES, 'sh']] },
  {
    wall: 'no network',
    commands: [
      ['unshare', '--map-root-user', '--net'],
      ['unshare', '--net'],
    ],
  },
  {
    wall: 'ends with its parent, no rights',
    commands: [[...DEATH, '--bounding-set', '-all', '--inh-caps', '-all'], DEATH],
  },
];

/** A command with the whole path of its program; undefined if it is not installed. */
const located = ([program = '', ...args]: readonly string[]): string[] | undefined => {
  const path = programAt(program);
  return path === undefined ? undefined : [path, ...args];
};

/** Whether the program is still readable behind a command: it may drop the rights that reading requires. */
const works = ([program = '', ...args]: readonly string[]): boolean =>
  spawnSync(program, [...args, programAt('cat') ?? 'cat', entry()], { timeout: 5_000, stdio: 'ignore' }).status === 0;

/** The available walls of this system: each is tried once, behind those before it. */
const tryAll = (): readonly Standing[] => {
  const standing: Standing[] = [];
  for (const { wall, commands } of wrappers) {
    const before = standing.flatMap(({ command }) => command);
    const found = commands.map(located).find((command) => command !== undefined && works([...before, ...command]));
    if (found !== undefined) standing.push({ wall, command: found });
  }
  return standing;
};

let cached: readonly Standing[] | undefined;

const standingWalls = (): readonly Standing[] => (cached ??= tryAll());

/** A command behind walls: a program with its arguments, wrapped in the available walls of this system. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  /** The active walls. */
  readonly walls: readonly string[];
}

/** A command behind the walls of the operating system. */
export const walled = (command: readonly string[]): Command => {
  const wrapped = standingWalls();
  const [program = '', ...args] = [...wrapped.flatMap((wall) => wall.command), ...command];
  return { program, args, walls: wrapped.map(({ wall }) => wall) };
};

/** The system walls around reading processes, and those that this system lacks. */
export interface StandingWalls {
  readonly standing: readonly string[];
  readonly lacking: readonly string[];
}

/** Tries the walls once for all processes, which takes some hundredths of a second. */
export const readerWalls = (): StandingWalls => {
  const standing = standingWalls().map(({ wall }) => wall);
  return { standing, lacking: wrappers.map(({ wall }) => wall).filter((wall) => !standing.includes(wall)) };
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
