import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/options.mjs';

/** The folders of all projects. */
export const projectFolders = () =>
  ['apps', 'libs', 'libs/platform']
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(root, folder, name)))
    .filter((path) => existsSync(join(path, 'package.json')));
