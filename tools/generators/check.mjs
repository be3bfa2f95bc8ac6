#!/usr/bin/env node
// Runs every generator in a temporary copy of the workspace, then type-checks and lints the result. The generated tests
// must fail. A generator whose output does not build is worse than no generator.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../lib/options.mjs';

const GENERATED = [
  ['operation', 'samples.inspect', '--service=retrieval', '--kind=read'],
  ['operation', 'samples.discard', '--service=retrieval', '--kind=write_confirm'],
  ['route', 'samples', '--call=inspectSamples'],
  ['event', 'sample.inspected', '--producer=retrieval', '--subscriber=ingestion', '--feature=samples'],
  ['stage', 'weigh', '--service=ingestion', '--feature=samples'],
  ['feature', 'shelves', '--service=auth'],
];
const CHANGED = ['contracts', 'retrieval', 'gateway', 'ingestion', 'auth'];

const run = (cwd, command, args) =>
  spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, NX_DAEMON: 'false', NX_SKIP_NX_CACHE: 'true' },
  });

const expectSuccess = (what, { status, stdout, stderr }) => {
  if (status !== 0) throw new Error(`${what} failed:\n${stdout}\n${stderr}`);
};

/** Links the installed packages; those of the workspace link to the copies. */
const linkPackages = (target) => {
  const [from, to] = [join(root, 'node_modules'), join(target, 'node_modules')];
  mkdirSync(join(to, '@acervo'), { recursive: true });
  for (const name of readdirSync(from)) if (name !== '@acervo') symlinkSync(join(from, name), join(to, name));
  for (const name of readdirSync(join(from, '@acervo')))
    symlinkSync(readlinkSync(join(from, '@acervo', name)), join(to, '@acervo', name));
};

/** The files under version control, and new untracked ones. */
const copyOf = (target) => {
  const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  for (const file of stdout.split('\n').filter((name) => name !== ''))
    cpSync(join(root, file), join(target, file), { recursive: true });
  linkPackages(target);
};

const copy = mkdtempSync(join(tmpdir(), 'acervo-generators-'));
try {
  copyOf(copy);
  for (const [generator, ...args] of GENERATED)
    expectSuccess(generator, run(copy, 'npx', ['nx', 'g', `@acervo/tools:${generator}`, ...args]));
  for (const library of CHANGED) {
    expectSuccess(`building ${library}`, run(copy, 'npx', ['tsc', '-b', join('libs', library)]));
    expectSuccess(`linting ${library}`, run(copy, 'npx', ['nx', 'run', `@acervo/${library}:lint`]));
  }
  // Its failures are wanted: they do not belong to the counts of the run.
  const { status, stdout } = run(join(copy, 'libs', 'retrieval'), 'npx', [
    'jest',
    '--reporters=default',
    'src/samples',
  ]);
  if (status === 0) throw new Error(`A generated test passes before its feature is written:\n${stdout}`);
  process.stdout.write(`${GENERATED.length} generated examples build, pass lint and wait for their tests.\n`);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}
