// Installs packages of Python from the configured index, once, with the exact versions of a requirements.txt.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from '../../stack/download.mjs';
import { findPip } from '../../stack/find.mjs';
import { run } from '../../lib/workspace.mjs';

const ADVICE = `See that Python 3 with venv and pip is installed and reaches an index of packages.`;

/** The Python of an environment that contains them. The environment works where it is created and after a move. */
export const installedPackages = async ({ title, name, requirements, print }) => {
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 8);
  try {
    const place = await once(`${name}-${digest}`, print, async (directory) => {
      await run(findPip(), ['-m', 'venv', directory]);
      const pip = ['-m', 'pip', 'install', '--disable-pip-version-check', '--no-input', '--quiet', '--no-deps'];
      await run(join(directory, 'bin', 'python'), [...pip, '-r', requirements]);
    });
    return join(place, 'bin', 'python');
  } catch (error) {
    throw new Error(`${title} could not be installed: ${error.message}\n${ADVICE}`, { cause: error });
  }
};
