import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './options.mjs';

const stamp = join(root, 'node_modules', '.acervo-installed');

/** The lock file together with the platform: node_modules must match both. */
const wanted = () =>
  createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .update(`${process.platform}-${process.arch}-${process.versions.modules}`)
    .digest('hex');

/** Runs a command to its end; its output is shown at once, or kept for the message of a failure. */
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

/** Installs the packages of the lock file, unless exactly these are installed. */
export const install = async () => {
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted()) return;
  await timed('Installing packages (about a minute, once)', () =>
    run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
      // Its script downloads files for graphics cards.
      env: { ONNXRUNTIME_NODE_INSTALL: 'skip' },
    }),
  );
  writeFileSync(stamp, wanted());
};

/** The program of one machine, and all that it loads. */
export const PROGRAM = ['apps/standalone'];
/** Every program, and the harness of the journeys and benches. */
export const EVERYTHING = ['apps/e2e', 'apps/migrate'];

/** Compiles the changes of projects since the last build, with the projects that they need. */
export const build = (projects = EVERYTHING) =>
  timed('Building what changed', () =>
    run(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-b', ...projects]),
  );
