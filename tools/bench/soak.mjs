// Two groups under half of the load that the machine carries, for hours, with a kill of a process now and then.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort, PASSWORD, Program, retryUntilAvailable, SERVICES, until } from '@acervo/e2e/harness';
import { figures, load, show } from './lib/figures.mjs';
import { goal } from './lib/goals.mjs';
import { inPlace } from './lib/installation.mjs';
import { Killable } from './lib/killable.mjs';
import { ADMINISTRATOR, firstFolder, live, openParties, registerNeighbour } from './soak/parties.mjs';
import { report } from './soak/report.mjs';
import { bytesIn, lagOf, openWork, processSamples, rowCounts } from './soak/samples.mjs';
import { sent } from './lib/search-load.mjs';

const require = createRequire(import.meta.url);
const print = (text) => process.stdout.write(`${text}\n`);
const MINUTE_MS = 60_000;
/** Share of the carried searches that clients send; lists, logins, keys and files come on top. */
const SHARE = 0.5;
const MEASURE_S = 6;
/** Searches are sent in slices, so that their times take no memory over hours. */
const SLICE_S = 20;
const VICTIMS = [...SERVICES, 'database'];
/** Samples of processes and of tables in a run; a longer run takes them more rarely. */
const PROCESS_SAMPLES = 2_000;
const TABLE_SAMPLES = 60;

/** Sends searches of a group until the signal ends it. */
const searching = async (party, perSecond, signal, found) => {
  while (!signal.aborted) {
    const { statuses, times } = await sent({ ...party, folder: undefined, perSecond, seconds: SLICE_S });
    for (const [status, count] of Object.entries(statuses))
      found.statuses[status] = (found.statuses[status] ?? 0) + count;
    found.slices.push(figures(times));
  }
};

/** Kills a process of a kind; answers the seconds until a search is answered again. */
const killOne = async (installation, kind, party) => {
  const victim = installation.tree.find((each) => each.kind === kind);
  if (victim === undefined) return { kind, seconds: NaN };
  const started = performance.now();
  process.kill(victim.pid, 'SIGKILL');
  const answered = async () =>
    (await installation.program.send('POST', '/v1/documents/search', { query: party.words[1], limit: 1 })).status ===
    200;
  const isBack = async () => {
    const successor = installation.tree.find((each) => each.kind === kind);
    return successor !== undefined && successor.pid !== victim.pid && (await answered()) ? true : undefined;
  };
  await retryUntilAvailable(`The end of the recovery of ${kind}`, isBack, 300_000);
  return { kind, seconds: (performance.now() - started) / 1_000 };
};

const killing = async (installation, { everyMs, endsAt, parties }, kills) => {
  for (let turn = 0; Date.now() + everyMs < endsAt; turn += 1) {
    await pause(everyMs);
    const killed = await killOne(installation, VICTIMS[turn % VICTIMS.length], parties[0]);
    kills.push({ ...killed, at: Date.now() });
    print(`killed ${killed.kind}: answers again after ${killed.seconds.toFixed(1)} s; ${load()}`);
  }
};

/** Repeats a sample until the end; one that fails while a process is away is left out. */
const sampling = async (everyMs, endsAt, take) => {
  while (Date.now() < endsAt) {
    await take().catch(() => undefined);
    await pause(Math.min(everyMs, Math.max(0, endsAt - Date.now())));
  }
};

const observe = (installation, { endsAt, lengthMs, data, services, groups }, found) =>
  Promise.all([
    sampling(Math.max(2_000, lengthMs / PROCESS_SAMPLES), endsAt, async () => {
      found.processes.push(...processSamples(installation.tree, Date.now()));
      const lag = await lagOf(installation.program.port);
      if (lag !== undefined) found.lags.push(lag);
    }),
    sampling(Math.max(5_000, lengthMs / TABLE_SAMPLES), endsAt, async () => {
      const { connections } = installation;
      found.tables.push(await rowCounts({ connections, groups }, services));
      found.disk.push({ at: Date.now(), value: bytesIn(data) });
    }),
  ]);

/** A comparison prints one such line for each group. */
const COMPARED = /^.*stores (agree|differ|could).*$/gim;

/** Whether the comparison of all stores, run as an operator does, finds no difference in any group. */
const storesAgree = async (request, groups) => {
  const program = Program.run({ ...request, folder: null, port: await freePort(), commands: [{ name: 'compare' }] });
  const linesOf = () => program.printed.match(COMPARED) ?? [];
  try {
    await until('the comparison of all groups', () => linesOf().length >= groups, 300_000);
    return { agree: linesOf().every((line) => /agree/i.test(line)), lines: linesOf() };
  } catch (error) {
    return { agree: false, lines: [error.message, program.printed.slice(-2_000)] };
  } finally {
    await program.stop();
  }
};

const soak = async (installation, { place, data, folder, key, lengthMs, everyMs }) => {
  const { services } = require('@acervo/contracts');
  const { parseKey } = require('@acervo/auth');
  const parties = await openParties(installation, { place, folder, key });
  const groups = parties.map((party) => parseKey(party.key).groupId);
  const isAtRest = async () =>
    (await openWork({ connections: installation.connections, groups })) === 0 ? true : undefined;
  await retryUntilAvailable('The end of the first ingestion', isAtRest, 1_200_000);
  await sent({ ...parties[0], folder: undefined, clients: 2, pauseMs: 0, seconds: MEASURE_S });
  const carried = await sent({ ...parties[0], folder: undefined, clients: 8, pauseMs: 0, seconds: MEASURE_S });
  const perSecond = Math.max(1, (SHARE * carried.times.length) / MEASURE_S / parties.length);
  print(`the machine carries ${(carried.times.length / MEASURE_S).toFixed(0)} searches a second; ${load()}`);
  print(`each of two groups sends ${perSecond.toFixed(1)} a second for ${(lengthMs / MINUTE_MS).toFixed(0)} minutes`);
  const found = { processes: [], lags: [], tables: [], disk: [], kills: [], counts: {}, statuses: {}, slices: [] };
  const endsAt = Date.now() + lengthMs;
  const over = new AbortController();
  const acting = [
    live(parties, over.signal, found.counts),
    ...parties.map((party) => searching(party, perSecond, over.signal, found)),
  ];
  await Promise.all([
    observe(installation, { endsAt, lengthMs, data, services, groups }, found),
    killing(installation, { everyMs, endsAt, parties }, found.kills),
  ]);
  over.abort();
  await Promise.all(acting);
  await retryUntilAvailable('The end of all work', isAtRest, 600_000);
  return found;
};

/** Starts an installation, and stops it after `work`. */
const during = async (request, work) => {
  const { services } = require('@acervo/contracts');
  const roles = services.map((service) => `${service}_owner`);
  const installation = new Killable({ ...request, port: await freePort() }, roles);
  await installation.start();
  try {
    return await work(installation);
  } finally {
    await installation.stop();
  }
};

/** Returns the verdicts. The exit code reports whether all of them are kept. */
export const run = ({ minutes, hours, every }) =>
  inPlace(undefined, async (place) => {
    const lengthMs = (hours === undefined ? minutes : Number(hours) * 60) * MINUTE_MS;
    const everyMs = every === undefined ? Math.min(60 * MINUTE_MS, lengthMs / 3) : Number(every) * MINUTE_MS;
    const data = join(place, 'data');
    const folder = firstFolder(place);
    const environment = { ACERVO_ADMIN_EMAIL: ADMINISTRATOR, ACERVO_ADMIN_PASSWORD: PASSWORD };
    const request = { folder: folder.path, data, environment };
    const { code, key } = await during(request, ({ program }) => registerNeighbour(program.port, data));
    const settings = {
      ...{ ACERVO_TRUSTED_PROXIES: '1', ACERVO_RESCAN_SECONDS: '30' },
      ACERVO_FOLDER_ROOTS: `${code}=${join(place, 'folders')}`,
    };
    const found = await during({ ...request, settings }, (installation) =>
      soak(installation, { place, data, folder, key, lengthMs, everyMs }),
    );
    const stores = await storesAgree({ data, environment }, 2);
    return report({ ...found, stores }, { print, show, goal });
  });
