#!/usr/bin/env node
// npm run release -- X.Y.Z: writes the number of a release, and what the release publishes and stores. The next versions
// are compared with it: tools/checks/released.mjs.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compatibilityProblems, precedes, withoutAccepted } from './checks/released.mjs';
import { assertNoClientBreaks } from './checks/oasdiff.mjs';
import { nightlyProblems } from './gate/nightly.mjs';
import { acceptedProblems, currentState, releasedState, writeReleased } from './lib/contracts-state.mjs';
import { root } from './lib/options.mjs';
import { build, install, run } from './lib/workspace.mjs';

const CONSTANT = join(root, 'libs', 'platform', 'config', 'src', 'release.ts');

/** Replaces the first match. @throws for a file without one */
const replaceIn = (path, pattern, replacement) => {
  const text = readFileSync(path, 'utf8');
  if (!pattern.test(text)) throw new Error(`${path} has no release to replace.`);
  writeFileSync(path, text.replace(pattern, replacement));
};

const assertNext = (release, last) => {
  if (!/^\d+\.\d+\.\d+$/.test(release ?? '')) throw new Error('Name the release: npm run release -- 1.2.0');
  if (precedes(release, last)) throw new Error(`${release} precedes the last release, ${last}.`);
};

const assertCompatible = (before, now) => {
  const problems = withoutAccepted(compatibilityProblems(before, now), acceptedProblems());
  if (problems.length > 0)
    throw new Error(`Programs of ${before.release} do not survive this upgrade:\n${problems.join('\n')}`);
};

const assertNightly = () => {
  const problems = nightlyProblems();
  if (problems.length > 0) throw new Error(problems.join('\n'));
};

/** The packages that are published carry the number of the release, also where one needs another. */
const PUBLISHED = ['apps/cli', 'clients/typescript'];
const NEEDS_CLIENT = ['apps/cli', 'libs/cli'];

const writePublished = (release) => {
  for (const folder of PUBLISHED)
    replaceIn(join(root, folder, 'package.json'), /^( {2}"version": )"[^"]*"/m, `$1"${release}"`);
  replaceIn(join(root, 'clients', 'python', 'pyproject.toml'), /^(version = )"[^"]*"/m, `$1"${release}"`);
  for (const folder of NEEDS_CLIENT)
    replaceIn(join(root, folder, 'package.json'), /("@acervo\/client": )"[^"]*"/, `$1"${release}"`);
};

const writeRelease = (release, state) => {
  replaceIn(join(root, 'package.json'), /^( {2}"version": )"[^"]*"/m, `$1"${release}"`);
  // The lock file names the version of the root twice, at its beginning.
  const lock = join(root, 'package-lock.json');
  replaceIn(lock, /^(\{\s+"name": "acervo-workspace",\s+"version": )"[^"]*"/, `$1"${release}"`);
  replaceIn(lock, /("": \{\s+"name": "acervo-workspace",\s+"version": )"[^"]*"/, `$1"${release}"`);
  writePublished(release);
  replaceIn(CONSTANT, /(RELEASE = )'[^']*'/, `$1'${release}'`);
  writeReleased(release, state);
};

try {
  const [release] = process.argv.slice(2);
  const before = releasedState();
  assertNext(release, before.release);
  assertNightly();
  await install();
  await build();
  const now = currentState();
  assertCompatible(before, now);
  assertNoClientBreaks((text) => process.stdout.write(`${text}\n`));
  writeRelease(release, now);
  await run('npm', ['install', '--package-lock-only', '--prefer-offline']);
  await build();
  process.stdout.write(
    `${release}: review and commit the changes, describe them in CHANGELOG.md, and tag the commit.\n`,
  );
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
