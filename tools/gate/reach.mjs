// Whether a change can reach what only real engines show.
import { spawnSync } from 'node:child_process';
import { root } from '../lib/options.mjs';

/** Files that suites on engines test and no other suite does, or that start the engines. */
const REACHES_ENGINES = [
  /^libs\/platform\/(calls|counters|database|messaging|object-store|queue|redis|service|testing)\/(src|test)\//,
  /\/src\/migrations\//,
  /^libs\/retrieval\/(src\/(legs|space-members|spaces)\/|test\/)/,
  /^apps\/(migrate|e2e\/(stack|harness))\//,
  /^docker\//,
  /^tools\/(stack|cluster)/,
  /\.stack\.ts$/,
  /^(package-lock\.json|jest\.stack\.preset\.js|.*jest\.stack\.config\.js)$/,
];

const git = (...args) => {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
};

const commitOf = (name) => git('rev-parse', '--verify', '--quiet', `${name}^{commit}`);

/** The commit that a change starts from; undefined where the clone does not tell. @param named a name of it */
const baseOf = (named) => {
  const base = named === undefined ? git('merge-base', 'HEAD', 'origin/main') : commitOf(named);
  return base === commitOf('HEAD') ? undefined : base;
};

/** The first of some files that reaches the engines. @param paths from the root */
export const reachingEngines = (paths) => paths.find((path) => REACHES_ENGINES.some((pattern) => pattern.test(path)));

/** The paths that a change touches, or undefined where the clone does not tell. @param named a name of its base */
export const changedPaths = (named = process.env.ACERVO_GATE_BASE) => {
  const base = baseOf(named);
  // A renamed file counts at its old place too.
  const changed = base === undefined ? undefined : git('diff', '--name-only', '--no-renames', base);
  return changed?.split('\n').filter((path) => path !== '');
};

/** Why the suites on engines run, or undefined where the change does not reach them. @param changed undefined: unknown */
export const reasonForEngines = (changed) =>
  changed === undefined ? 'no commit to compare with' : reachingEngines(changed);
