// Callers without an account hold what they can of each port in turn: places, bodies, memory, and the searches of a
// tenant meanwhile.
import { fork } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SeparateServices } from '@acervo/e2e/harness';
import { figures, load, show } from './lib/figures.mjs';
import { goal } from './lib/goals.mjs';
import { inPlace } from './lib/installation.mjs';
import { residentMemory } from './lib/memory.mjs';
import { sent } from './lib/search-load.mjs';

const print = (text) => process.stdout.write(`${text}\n`);
/** Connections by what they do. */
const COUNTS = { heldBody: 2_000, gzipBody: 400, slowReader: 200, pipelined: 128, cut: 64 };
const GOALS = { grownMb: 100, freeWithinS: 60 };
const IDLE_S = 10;
/**
 * Limits as on a server, and places as on a machine of two cores. Without a limit of its heap, V8 lets garbage grow with
 * the memory of the machine.
 */
const SETTINGS = {
  NODE_OPTIONS: '--max-old-space-size=512',
  ACERVO_CONNECTIONS_PER_ADDRESS: '256',
  ACERVO_REQUESTS_AT_ONCE: '4',
  ACERVO_REQUESTS_WAITING: '128',
};

/** What callers of a port may ask, and how the largest answer is asked for. */
const PATHS = {
  gateway: { post: '/v1/documents/search', get: ['/openapi.json', '/docs/swagger-ui-bundle.js'] },
  auth: { post: '/auth/login', get: ['/openapi.json', '/docs/swagger-ui-bundle.js'] },
  others: { post: '/v1/none', get: ['/openapi.json', '/docs/swagger-ui-bundle.js'] },
  internal: { post: '/internal/calls/documents.search', get: ['/metrics'] },
};

const targetsOf = (services, only) =>
  [...services.processes]
    .flatMap(([name, [running]]) => [
      { name, listener: 'public', running, port: running.backend.port, paths: PATHS[name] ?? PATHS.others },
      { name, listener: 'internal', running, port: running.backend.health, paths: PATHS.internal },
    ])
    .filter(({ name, listener }) => only === undefined || only.split(',').includes(`${name}:${listener}`));

/** Places and bytes of bodies in use; undefined where the process does not answer in time. */
const inUse = async ({ backend }) => {
  try {
    const url = `http://127.0.0.1:${backend.health}/metrics`;
    const text = await (await fetch(url, { signal: AbortSignal.timeout(10_000) })).text();
    const sum = (name) =>
      [...text.matchAll(new RegExp(`^${name}\\{[^}]*\\} (\\S+)$`, 'gm'))].reduce(
        (all, [, value]) => all + Number(value),
        0,
      );
    return { places: sum('acervo_request_places'), bytes: sum('acervo_body_bytes') };
  } catch {
    return undefined;
  }
};

/** Memory of a process once a second; `mean` is that of a part of the samples. */
const watchMemory = ({ pid }) => {
  const samples = [];
  const timer = setInterval(() => samples.push(residentMemory(pid)), 1_000);
  return {
    end: () => clearInterval(timer),
    mean: (from, to) => {
      const part = samples.slice(Math.floor(samples.length * from), Math.ceil(samples.length * to));
      return part.reduce((sum, value) => sum + value, 0) / part.length;
    },
  };
};

const attacked = ({ port, paths }, seconds) =>
  new Promise((resolve, reject) => {
    const child = fork(new URL('./attack/clients.mjs', import.meta.url));
    let open = 0;
    child.on('message', (message) => {
      if (message.opened === undefined) open = Math.max(open, message.open);
      else resolve({ opened: message.opened, open });
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`The attack ended with ${code}.`)));
    child.send({ port, paths, counts: COUNTS, seconds });
  });

/** Seconds until a process has no place and no body in use; undefined when it takes longer than it may. */
const freeAgain = async (target) => {
  const started = performance.now();
  for (;;) {
    const seconds = (performance.now() - started) / 1_000;
    const used = await inUse(target.running);
    if (used?.places === 0 && used.bytes === 0) return seconds;
    if (seconds > GOALS.freeWithinS) return undefined;
    await pause(500);
  }
};

const measure = async (target, searches, seconds) => {
  const memory = watchMemory(target.running);
  const idle = await sent({ ...searches, seconds: IDLE_S });
  const before = memory.mean(0, 1);
  memory.end();
  const during = watchMemory(target.running);
  const [{ opened, open }, beside] = await Promise.all([
    attacked(target, seconds),
    pause(1_000).then(() => sent({ ...searches, seconds: seconds - 2 })),
  ]);
  during.end();
  const freeS = await freeAgain(target);
  const after = residentMemory(target.running.pid);
  const [second, last] = [during.mean(0.25, 0.5), during.mean(0.75, 1)];
  const others = Object.entries(beside.statuses).filter(([status]) => status !== '200');
  print(`${target.name} ${target.listener}: ${open} connections at a time, ${opened} in all; ${load()}`);
  show('  searches before', figures(idle.times));
  show('  searches meanwhile', figures(beside.times));
  print(`  other answers ${JSON.stringify(Object.fromEntries(others))} ${goal('none', others.length === 0)}`);
  print(
    `  memory ${before.toFixed(0)} MB before, ${second.toFixed(0)} in the second quarter, ${last.toFixed(0)} in the last, ` +
      `${after.toFixed(0)} after ${goal(`${GOALS.grownMb} MB above before`, last - before <= GOALS.grownMb)}`,
  );
  print(
    `  places and bodies free after ${freeS?.toFixed(1) ?? 'more'} s ${goal(`${GOALS.freeWithinS} s`, freeS !== undefined)}`,
  );
  return { freeS, others: others.length, grownMb: last - before, answered: beside.times.length };
};

/** Returns the figures of each port. The exit code reports whether the goals were met. */
export const run = ({ seconds, only }) =>
  inPlace(undefined, async (place) => {
    const folders = join(place, 'folders');
    mkdirSync(folders);
    const services = await SeparateServices.start({ place, twice: [], folders, settings: SETTINGS });
    try {
      const searches = {
        ...{ port: services.portOf('gateway'), key: services.key, addresses: ['192.0.2.1'], words: ['cuota de riego'] },
        ...{ clients: 1, pauseMs: 100 },
      };
      const found = {};
      for (const target of targetsOf(services, only))
        found[`${target.name}:${target.listener}`] = await measure(target, searches, seconds);
      return found;
    } finally {
      await services.stop();
    }
  });
