import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Print } from '../folders/ingest-folder';
import { type Packages, packagesFor } from './e5-packages';
import { findPython, NoPython } from './python';

/** The embedder cannot be installed; the message is the reason, written for users. */
export class CannotInstall extends Error {}

const LONGEST_MS = 600_000;
const TAIL = 2_000;

/** Runs a command to its end. @throws CannotInstall with the last output of the command. */
const run = (command: string, args: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LONGEST_MS,
      killSignal: 'SIGKILL',
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => (printed = (printed + data.toString()).slice(-TAIL)));
    child.on('error', () => reject(new CannotInstall(`${command} cannot be run`)));
    child.on('close', (code) => (code === 0 ? resolve() : reject(new CannotInstall(reasonIn(printed)))));
  });

/** The line of pip's output that names the error. */
const reasonIn = (printed: string): string => {
  const lines = printed.trim().split('\n');
  if (/HASHES|DO NOT MATCH/.test(printed)) return 'a downloaded file is not the one that was expected';
  if (/Temporary failure in name resolution|NewConnectionError|ConnectTimeout|Network is unreachable/.test(printed))
    return 'there is no connection to the package index';
  return (lines.findLast((line) => line.startsWith('ERROR')) ?? lines.at(-1) ?? 'no reason was given').slice(0, 300);
};

const into = async (directory: string, python: string, { requirements, pipOptions }: Packages): Promise<void> => {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(dirname(directory), { recursive: true });
  await run(python, ['-m', 'venv', directory]);
  const list = join(directory, 'requirements.txt');
  writeFileSync(list, requirements);
  const pip = ['-m', 'pip', 'install', '--disable-pip-version-check', '--no-input', '--no-cache-dir', '--quiet'];
  await run(join(directory, 'bin', 'python'), [...pip, ...pipOptions, '-r', list]);
};

const reasonOf = (error: unknown): string =>
  error instanceof NoPython || error instanceof CannotInstall ? error.message : 'its directory cannot be written';

/**
 * Path of the Python in an environment that contains the embedder. The first call creates the environment completely,
 * or not at all.
 * @throws CannotInstall
 */
export const installE5 = async (directory: string, print: Print, commands?: readonly string[]): Promise<string> => {
  const [ready, executable] = [join(directory, 'installed'), join(directory, 'bin', 'python')];
  if (existsSync(ready) && existsSync(executable)) return executable;
  try {
    const python = await findPython(commands);
    const packages = packagesFor(python);
    const proof = packages.verified
      ? 'with checksums'
      : `by version: no checksums are known for Python ${python.version} on ${python.platform}`;
    print(`Installing the embedder multilingual-e5-small (about 110 MB, once, ${proof}) ...`);
    const started = Date.now();
    await into(directory, python.command, packages);
    writeFileSync(ready, packages.requirements);
    print(`Installed after ${((Date.now() - started) / 1_000).toFixed(0)} s.`);
    return executable;
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw new CannotInstall(reasonOf(error), { cause: error });
  }
};
