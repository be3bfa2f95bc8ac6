import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The folders of all projects of a workspace, as paths from its root. */
export const projectFolders = (root) =>
  ['apps', 'clients', 'libs', 'libs/platform']
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
    .filter((path) => existsSync(join(root, path, 'package.json')));
