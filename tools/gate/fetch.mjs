// Everything of a run that comes from a registry, before the first test.
import { spawnSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '../lib/options.mjs';

const TRIES = 3;

/** A registry does not answer: nothing is known of the change. */
export class RegistryAway extends Error {}

const thrice = async (what, work) => {
  for (let turn = 1; ; turn += 1)
    try {
      return await work();
    } catch (error) {
      if (turn === TRIES) throw new RegistryAway(`${what}: ${[error.message, ...(error.tail ?? [])].join('\n')}`);
      await pause(5_000 * turn);
    }
};

const has = (program) => spawnSync('which', [program]).status === 0;

const neededByEngines = () => {
  const { stdout } = spawnSync(process.execPath, ['tools/stack/missing.mjs'], { cwd: root, encoding: 'utf8' });
  return stdout.split('\n').filter((name) => name !== '');
};

/** Installs packages of Debian. An engine whose package a distribution lacks says so itself. */
const apt = async (log, required, optional) => {
  const [command, ...first] = process.getuid?.() === 0 ? ['apt-get'] : ['sudo', 'apt-get'];
  const get = (name) => log.command(`apt-get ${name}`, command, [...first, 'install', '-y', '-qq', name]);
  await log.command('apt-get update', command, [...first, 'update', '-qq']);
  for (const name of required) await get(name);
  for (const name of optional) await get(name).catch(() => log.print(`apt does not bring ${name}.`));
};

/** @throws RegistryAway after three tries */
export const fetchAll = async (log, { engines }) => {
  const required = has('chromium') ? [] : ['chromium'];
  const optional = engines ? neededByEngines() : [];
  if (required.length + optional.length > 0) await thrice('Packages of Debian', () => apt(log, required, optional));
  await thrice('Packages of Node', () => log.command('npm', process.execPath, ['tools/gate/install.mjs']));
  await thrice('hadolint', () => log.command('hadolint', process.execPath, ['tools/images.mjs', '--fetch']));
};
