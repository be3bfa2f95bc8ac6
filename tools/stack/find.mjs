// Finds the programs of this machine that engines need, with advice for missing ones.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Refused } from './place.mjs';

const JVM_FOLDERS = ['/usr/lib/jvm', '/usr/local/lib/jvm', '/Library/Java/JavaVirtualMachines'];

const answer = (command, ...args) => {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', timeout: 30_000 });
  return status === 0 ? `${stdout}${stderr}`.trim() : undefined;
};

const javaVersion = (java) => Number(/version "(\d+)/.exec(answer(java, '-version') ?? '')?.[1] ?? 0);

const installed = () =>
  JVM_FOLDERS.filter(existsSync).flatMap((folder) =>
    readdirSync(folder).flatMap((name) =>
      ['bin/java', 'Contents/Home/bin/java'].map((path) => join(folder, name, path)).filter(existsSync),
    ),
  );

/** A Java of at least this version, first from JAVA_HOME and from the path. @throws Refused */
export const findJava = (least, { compiler = false } = {}) => {
  const home = process.env.JAVA_HOME;
  const candidates = [...(home ? [join(home, 'bin', 'java')] : []), 'java', ...installed()];
  const fits = (java) =>
    javaVersion(java) >= least && (!compiler || answer(java.replace(/java$/, 'javac'), '-version') !== undefined);
  const found = candidates.find(fits);
  if (found !== undefined)
    return { java: found, javac: found.replace(/java$/, 'javac'), home: dirname(dirname(found)) };
  const what = compiler ? `A Java development kit ${least} or newer` : `Java ${least} or newer`;
  throw new Refused(`${what} was not found; install one or name it with JAVA_HOME.`);
};

/** @throws Refused with advice */
export const findProgram = (command, args, missing) => {
  if (answer(command, ...args) === undefined) throw new Refused(missing);
  return command;
};

export const findPip = () =>
  findProgram(
    'python3',
    ['-m', 'pip', '--version'],
    'Python 3 with pip was not found; install python3 and python3-pip.',
  );
export const findMaven = () => findProgram('mvn', ['-v'], 'Maven was not found; install it (package maven).');
export const findOpenssl = () =>
  findProgram('openssl', ['version'], 'OpenSSL was not found; install it (package openssl).');

/** Not every account has the folder of system programs in its path. */
const HAPROXY = ['haproxy', '/usr/sbin/haproxy', '/usr/local/sbin/haproxy'];

/** The balancer of the cluster. @throws Refused */
export const findHaproxy = () => {
  const found = HAPROXY.find((program) => answer(program, '-v') !== undefined);
  if (found === undefined) throw new Refused('HAProxy was not found; install it (package haproxy).');
  return found;
};

/** From 1.21 on, Go downloads the newer version that a module requires. @throws Refused */
export const findGo = () => {
  const [, minor = '0'] = /go1\.(\d+)/.exec(answer('go', 'version') ?? '') ?? [];
  if (Number(minor) < 21) throw new Refused('Go was not found, or is older than 1.21; install Go 1.24 or newer.');
  return 'go';
};

/** Whether a Docker engine answers and supports compose. */
export const dockerRuns = () =>
  answer('docker', 'info') !== undefined && answer('docker', 'compose', 'version') !== undefined;
