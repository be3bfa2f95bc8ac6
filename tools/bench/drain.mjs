// Stops one of two processes of each service again and again under load: failed requests, exit codes, times, deaths.
import { createRequire } from 'node:module';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SeparateServices, SERVICES, Tables } from '@acervo/e2e/harness';
import { longTree } from './drain/long-tree.mjs';
import { startLoad } from './drain/load.mjs';
import { figures, load, show } from './lib/figures.mjs';
import { inPlace } from './lib/installation.mjs';
import { onEngines } from './speed/engines.mjs';

const require = createRequire(import.meta.url);
const print = (text) => process.stdout.write(`${text}\n`);
const GOALS = { failed: 0, deaths: 0, exitMs: 30_000 };
/** Load without stops: a machine that cannot carry it fails here. */
const BASELINE_MS = 8_000;
/** A call whose connection broke; a call may also fail because its answer is late. */
const LOST = /was not answered: \S+ cannot be reached/;
/** A balancer notices a started process within this time. */
const NOTICED_MS = 1_000;

/** Highest count of deaths of a task or an event, over all services. */
const mostDeaths = async (services) => {
  const { groupId } = require('@acervo/auth').parseKey(services.key);
  const tables = new Tables((role) => services.connection(role), groupId);
  const counts = [];
  for (const service of SERVICES)
    for (const table of ['task', 'incoming']) {
      const sql = `select coalesce(max(deaths), 0)::int as deaths from ${service}.${table} where group_id = $1`;
      counts.push(...(await tables.rows(`${service}_owner`, sql, [groupId])).map(({ deaths }) => deaths));
    }
  await tables.close();
  return Math.max(...counts);
};

/** Whether the scan of the tree is still under way. */
const runsOf = async (client) => (await client('GET', '/v1/runs')).body?.runs?.map(({ status }) => status) ?? [];

/** The messages of all errors that the processes logged, counted: a late answer is not a broken connection. */
const causesIn = (place) => {
  const lines = readdirSync(place)
    .filter((name) => name.endsWith('.log'))
    .flatMap((name) => readFileSync(join(place, name), 'utf8').split('\n'))
    .filter((line) => line.startsWith('{"level":50'));
  const counts = {};
  for (const line of lines) {
    const { error, msg } = JSON.parse(line);
    const cause = `${msg}: ${error?.message ?? ''}`;
    counts[cause] = (counts[cause] ?? 0) + 1;
  }
  return Object.entries(counts);
};

/** Stops the processes of the pair in turn; answers the ends. */
const stopInTurn = async (services, service, rounds, report) => {
  const pair = services.processesOf(service);
  const ends = [];
  for (let round = 0; round < rounds; round += 1) {
    const stopped = pair[round % pair.length];
    // Every second stop gets a second signal.
    const ended = await services.drain(stopped, 1 + (round % 2));
    ends.push(ended);
    report(round, ended);
    await services.startAgain(stopped);
  }
  return ends;
};

/** Has a folder scanned; a busy machine may refuse that at first. */
const scanTree = async (requests, path) => {
  for (let tries = 1; ; tries += 1) {
    const answer = await requests.send('POST', '/v1/operations/locations.create:execute', { input: { path } });
    if (answer.status === 200) return;
    if (tries === 10) throw new Error(`The folder was refused: ${answer.text}`);
  }
};

const measure = async (service, { place, rounds, rate, files }) => {
  const folders = join(place, 'folders');
  mkdirSync(folders);
  const services = await SeparateServices.start({ place, twice: [service], folders });
  try {
    await pause(NOTICED_MS);
    const requests = startLoad({ port: services.portOf('gateway'), key: services.key, rate });
    if (service === 'ingestion') await scanTree(requests, longTree(folders, files));
    await pause(BASELINE_MS);
    print(
      `  ${service}: ${requests.answered} answered, ${requests.failures.length} failed before the first stop; ${load()}`,
    );
    const ends = await stopInTurn(services, service, rounds, (round, { code, signal, ms, outMs }) =>
      print(
        `  ${service} ${round + 1}: exit ${signal ?? code} after ${(ms / 1_000).toFixed(1)} s, out after ${(outMs / 1_000).toFixed(1)} s, ${requests.answered} answered, ${requests.failures.length} failed; ${load()}`,
      ),
    );
    const runs = service === 'ingestion' ? await runsOf(requests.send) : [];
    await requests.end();
    for (const failure of requests.failures.slice(0, 3)) print(`  failed: ${failure}`);
    const causes = causesIn(place);
    for (const [cause, count] of causes) print(`  ${count} x ${cause}`);
    show(`  requests during ${service}`, figures(requests.times));
    const lost = causes.filter(([cause]) => LOST.test(cause)).reduce((sum, [, count]) => sum + count, 0);
    const counted = requests.counted();
    return { service, ends, runs, ...counted, broken: counted.broken + lost, deaths: await mostDeaths(services) };
  } finally {
    await services.stop();
  }
};

const verdictOf = ({ service, ends, runs, answered, failed, broken, perSecond, deaths }) => {
  const slowest = Math.max(...ends.map(({ ms }) => ms));
  const wrong = ends.filter(({ code }) => code !== 0).length;
  print(
    `${service.padEnd(11)} ${ends.length} stops, ${answered} requests (${perSecond.toFixed(0)} a second), ${failed} failed, ${broken} of them by a broken connection, ` +
      `${wrong} exits other than 0, slowest exit ${(slowest / 1_000).toFixed(1)} s, deaths ${deaths}` +
      (runs.length === 0 ? '' : `, runs ${runs.join(' ')}`),
  );
  return failed <= GOALS.failed && wrong === 0 && slowest <= GOALS.exitMs && deaths <= GOALS.deaths;
};

/** A folder that stays, with the logs of all processes; undefined for one that is removed. */
const placeOf = (keep, service) => {
  if (keep === undefined) return undefined;
  const place = join(keep, service);
  mkdirSync(place, { recursive: true });
  return place;
};

/** Stops each named service; returns what it counted. The exit code reports whether the goals were met. */
const drain = async ({ rounds, service, rate, files, keep }) => {
  const results = [];
  for (const each of service === undefined ? SERVICES : service.split(','))
    results.push(await inPlace(placeOf(keep, each), (place) => measure(each, { place, rounds, rate, files })));
  const verdicts = results.map(verdictOf);
  if (verdicts.includes(false)) process.exitCode = 1;
  return results;
};

/** On the embedded database, or on a PostgreSQL that is started for it. */
export const run = ({ stack, ...options }) =>
  stack === true ? onEngines(['postgres'], () => drain(options)) : drain(options);
