import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './options.mjs';

const stamp = join(root, 'node_modules', '.acervo-installed');

/** The lock file together with the platform: what node_modules must match. */
const wanted = () =>
  createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .update(`${process.platform}-${process.arch}-${process.versions.modules}`)
    .digest('hex');

/** What the environment of tests has, so that every process of theirs begins with it, whoever starts it. */
export const shortLived = () => {
  const required = `--require ${JSON.stringify(join(root, 'tools', 'lib', 'short-lives.cjs'))}`;
  return { NODE_OPTIONS: [process.env.NODE_OPTIONS ?? '', required].join(' ').trim() };
};

/** Runs a command to its end; what it prints is kept for the message of its failure, or shown as it comes. */
export const run = (command, args, { show = false, env = {} } = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, NX_DAEMON: 'false', ...env },
      stdio: show ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (printed += data));
    child.on('error', reject);
    child.on('close', (code, signal) =>
      code === 0
        ? resolve(printed)
        : reject(new Error(`${command} ${args.join(' ')} ended with ${signal ?? code}.\n${printed.slice(-4000)}`)),
    );
  });

const timed = async (what, work) => {
  const start = Date.now();
  process.stdout.write(`${what} ...`);
  try {
    await work();
    process.stdout.write(` ${((Date.now() - start) / 1000).toFixed(1)} s\n`);
  } catch (error) {
    process.stdout.write(' failed\n');
    throw error;
  }
};

/** Installs the packages of the lock file unless exactly they are there already. */
export const install = async () => {
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted()) return;
  await timed('Installing packages (about a minute, once)', () =>
    run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error']),
  );
  writeFileSync(stamp, wanted());
};

/** Compiles what changed since the last time. */
export const build = () =>
  timed('Building what changed', () =>
    run(process.execPath, [
      join(root, 'node_modules', 'typescript', 'bin', 'tsc'),
      '-b',
      'apps/standalone',
      'apps/migrate',
    ]),
  );
