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
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const flag = major > 22 || (major === 22 && minor >= 13) ? '--permission' : '--experimental-permission';
  return [flag, ...['node_modules', 'libs'].map((folder) => `--allow-fs-read=${join(root, folder, '*')}`)];
};

const SEARCHED = '/usr/bin:/bin:/usr/local/bin:/usr/sbin:/sbin';

const found = (program: string): string | undefined =>
  SEARCHED.split(delimiter)
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path));

/** How a reading process is started: a program with its arguments, wrapped in what this system offers. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  /** Which walls of the operating system stand, for the log. */
  readonly walls: readonly string[];
}

interface Wrapper {
  readonly wall: string;
  readonly command: readonly string[];
}

const PLAIN: readonly Wrapper[] = [
  { wall: 'no files written, no core', command: ['prlimit', '--fsize=0', '--core=0'] },
  { wall: 'no network', command: ['unshare', '--map-root-user', '--net'] },
];

/** The wrappers that work here: each is tried once. */
const usableWrappers = (): Wrapper[] => {
  if (process.platform !== 'linux') return [];
  return PLAIN.flatMap(({ wall, command: [program = '', ...args] }) => {
    const path = found(program);
    if (path === undefined || spawnSync(path, [...args, '/bin/true'], { timeout: 5_000 }).status !== 0) return [];
    return [{ wall, command: [path, ...args] }];
  });
};

let known: Command | undefined;

/** The command of a reading process. What the system offers is found out once. */
export const readerCommand = (heapMegabytes: number): Command => {
  if (known !== undefined) return known;
  const program = entry();
  const node = [
    process.execPath,
    `--max-old-space-size=${heapMegabytes}`,
    '--no-warnings',
    '--disable-proto=delete',
    ...permissions(programRoot(dirname(program))),
    program,
  ];
  const wrappers = usableWrappers();
  const [first = '', ...args] = [...wrappers.flatMap(({ command }) => command), ...node];
  known = { program: first, args, walls: ['permissions of Node', ...wrappers.map(({ wall }) => wall)] };
  return known;
};
