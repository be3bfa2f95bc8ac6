import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A Python that can create virtual environments. */
export interface Python {
  readonly command: string;
  /** Major and minor, such as 3.12. */
  readonly version: string;
  readonly platform: string;
}

/** No usable Python exists; the message gives the reason. */
export class NoPython extends Error {}

const LEAST_MINOR = 9;
const PROBE =
  'import sys, sysconfig\nprint(sys.version_info[0], sys.version_info[1], sysconfig.get_platform())\nimport ensurepip, venv';

const probe = async (command: string): Promise<Python | undefined> => {
  const { stdout, failed } = await run(command, ['-c', PROBE], { timeout: 20_000 }).then(
    (done) => ({ stdout: done.stdout, failed: false }),
    (error: { stdout?: string }) => ({ stdout: error.stdout ?? '', failed: true }),
  );
  const [major, minor, platform] = stdout.trim().split(' ');
  if (major === undefined || minor === undefined || platform === undefined) return undefined;
  if (major !== '3' || Number(minor) < LEAST_MINOR)
    throw new NoPython(`Python ${major}.${minor} is too old, 3.${LEAST_MINOR} or newer is needed`);
  if (failed) throw new NoPython('Python 3 is installed without its venv module (python3-venv on Debian and Ubuntu)');
  return { command, version: `${major}.${minor}`, platform };
};

/** Finds Python 3. @throws NoPython with a reason that the user can correct. */
export const findPython = async (commands: readonly string[] = ['python3', 'python']): Promise<Python> => {
  for (const command of commands) {
    const found = await probe(command);
    if (found !== undefined) return found;
  }
  throw new NoPython('Python 3 was not found');
};
