// Directories of a stack, and of the downloads that all stacks share.
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { root } from '../lib/options.mjs';

/** An error that the user can correct: its message suffices. */
export class Refused extends Error {}

const isRoot = process.getuid?.() === 0;

/**
 * Downloads are stored outside the checkout. Other accounts cannot read the superuser's cache, and PostgreSQL refuses
 * to run as the superuser; the superuser therefore uses the system's cache.
 */
const cacheRoot = () => process.env.XDG_CACHE_HOME ?? (isRoot ? '/var/cache' : join(homedir(), '.cache'));
export const cache = () => {
  const path = process.env.ACERVO_ENGINES_CACHE ?? join(cacheRoot(), 'acervo', 'engines');
  mkdirSync(path, { recursive: true });
  return path;
};

/** The directories of one stack. Another directory is another, independent stack. */
export const placeOf = (directory) => {
  const path = resolve(directory ?? join(root, '.stack'));
  return {
    path,
    state: join(path, 'state.json'),
    logs: join(path, 'logs'),
    of: (engine) => join(path, engine),
  };
};
