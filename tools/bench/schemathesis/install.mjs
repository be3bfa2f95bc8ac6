// Installs Schemathesis from the configured package index, once, with the exact versions of requirements.txt.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { once } from '../../stack/download.mjs';
import { findPip } from '../../stack/find.mjs';
import { run } from '../../lib/workspace.mjs';

const requirements = fileURLToPath(new URL('./requirements.txt', import.meta.url));
const ADVICE = `See that Python 3 with venv and pip is installed and reaches an index of packages.`;

/** The Python of an environment that contains it. The environment works where it is created and after a move. */
export const installedPython = async (print) => {
  const pinned = readFileSync(requirements);
  const [, version] = /^schemathesis==(\S+)$/m.exec(pinned.toString());
  const name = `schemathesis-${version}-${createHash('sha256').update(pinned).digest('hex').slice(0, 8)}`;
  try {
    const place = await once(name, print, async (directory) => {
      await run(findPip(), ['-m', 'venv', directory]);
      const pip = ['-m', 'pip', 'install', '--disable-pip-version-check', '--no-input', '--quiet', '--no-deps'];
      await run(join(directory, 'bin', 'python'), [...pip, '-r', requirements]);
    });
    return join(place, 'bin', 'python');
  } catch (error) {
    throw new Error(`Schemathesis could not be installed: ${error.message}\n${ADVICE}`, { cause: error });
  }
};
