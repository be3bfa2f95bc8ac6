// Fails where oasdiff finds a change of the published description that breaks clients of the last release.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cached, installed } from '../lib/go-programs.mjs';
import { root } from '../lib/options.mjs';

const RELEASED = join(root, 'tools', 'released');
const LAST = join(RELEASED, 'openapi.json');
const PRESENT = join(root, 'docs', 'openapi.json');

/** Changes that clients have to live with, and why. */
const acceptedChanges = () => JSON.parse(readFileSync(join(RELEASED, 'accepted-openapi.json'), 'utf8'));

/** @throws where the program fails, or cannot read a description */
const changesBy = (program, last, present) => {
  const { status, stdout, stderr, error } = spawnSync(program, ['breaking', '--format', 'json', last, present], {
    encoding: 'utf8',
  });
  if (error !== undefined || status !== 0) throw error ?? new Error(`oasdiff failed: ${stderr}`);
  const changes = stdout.trim() === '' ? [] : JSON.parse(stdout);
  // Three levels: an information, a warning where it depends on the client, and an error.
  return changes.filter(({ level }) => level === 3).map(({ operation, path, text }) => `${operation} ${path}: ${text}`);
};

/** What of the changes nobody has accepted, and what was accepted and is none any more. */
export const unaccepted = (changes, accepted) => [
  ...changes
    .filter((change) => !Object.hasOwn(accepted, change))
    .map((change) => `${change}. Clients of the last release break: add another field, or accept it with a reason.`),
  ...Object.keys(accepted)
    .filter((change) => !changes.includes(change))
    .map((change) => `tools/released/accepted-openapi.json accepts what is no change: ${change}.`),
];

/** Breaking changes of the description where the program is in the cache: the gate builds nothing. */
export const oasdiffProblems = () => {
  const program = cached('oasdiff');
  return program === undefined ? [] : unaccepted(changesBy(program, LAST, PRESENT), acceptedChanges());
};

/** The same for a release, which builds the program where it is missing. @throws with the problems */
export const assertNoClientBreaks = (print) => {
  installed('oasdiff', print);
  const problems = oasdiffProblems();
  if (problems.length > 0) throw new Error(problems.join('\n'));
};
