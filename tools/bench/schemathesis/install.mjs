// Installs Schemathesis, once, with the exact versions of requirements.txt.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { installedPackages } from '../lib/python-packages.mjs';

const requirements = fileURLToPath(new URL('./requirements.txt', import.meta.url));

/** The Python of an environment that contains it. */
export const installedPython = (print) => {
  const [, version] = /^schemathesis==(\S+)$/m.exec(readFileSync(requirements, 'utf8'));
  return installedPackages({ title: 'Schemathesis', name: `schemathesis-${version}`, requirements, print });
};
