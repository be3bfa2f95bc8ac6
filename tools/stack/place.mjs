// Where a stack keeps what it makes, and where downloads lie that all stacks share.
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { root } from '../lib/options.mjs';

/** A mistake or a lack that a person can put right: its message is all that has to be shown. */
export class Refused extends Error {}

const isRoot = process.getuid?.() === 0;

/**
 * Downloads are kept outside the checkout. The superuser's own cache is closed to others, and PostgreSQL refuses to run
 * as the superuser, so there it is the one of the system.
 */
const cacheRoot = () => process.env.XDG_CACHE_HOME ?? (isRoot ? '/var/cache' : join(homedir(), '.cache'));
export const cache = () => {
  const path = process.env.ACERVO_ENGINES_CACHE ?? join(cacheRoot(), 'acervo', 'engines');
  mkdirSync(path, { recursive: true });
  return path;
};

/** The directories of one stack; another directory is another stack, and the two know nothing of each other. */
export const placeOf = (directory) => {
  const path = resolve(directory ?? join(root, '.stack'));
  return {
    path,
    state: join(path, 'state.json'),
    logs: join(path, 'logs'),
    of: (engine) => join(path, engine),
  };
};
