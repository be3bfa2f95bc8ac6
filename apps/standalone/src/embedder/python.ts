import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A Python that can download packages. */
export interface Python {
  readonly command: string;
  /** Whether it has pip itself; otherwise an environment that it creates has it. */
  readonly hasPip: boolean;
}

/** No usable Python exists; the message gives the reason. */
export class NoPython extends Error {}

const LEAST_MINOR = 9;
const PROBE = `
import sys
from importlib.util import find_spec
has = lambda *names: all(find_spec(name) for name in names)
print(sys.version_info[0], sys.version_info[1], "pip" if has("pip") else "venv" if has("ensurepip", "venv") else "none")
`;

const probe = async (command: string): Promise<Python | undefined> => {
  const printed = await run(command, ['-c', PROBE], { timeout: 20_000 }).then(
    ({ stdout }) => stdout,
    () => '',
  );
  const [major, minor, source] = printed.trim().split(' ');
  if (major === undefined || minor === undefined || source === undefined) return undefined;
  if (major !== '3' || Number(minor) < LEAST_MINOR)
    throw new NoPython(`Python ${major}.${minor} is too old, 3.${LEAST_MINOR} or newer is needed`);
  if (source === 'none')
    throw new NoPython('Python 3 is installed without pip and venv (python3-pip or python3-venv on Debian and Ubuntu)');
  return { command, hasPip: source === 'pip' };
};

/** Finds Python 3. @throws NoPython with a reason that the user can correct. */
export const findPython = async (commands: readonly string[] = ['python3', 'python']): Promise<Python> => {
  for (const command of commands) {
    const found = await probe(command);
    if (found !== undefined) return found;
  }
  throw new NoPython('Python 3 was not found');
};
