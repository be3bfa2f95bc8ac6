// Time from one new document to a search that finds it: without other work, behind a long backlog of one group, and
// behind two groups whose documents take seconds each.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { HttpClient, registered, until } from '@acervo/e2e/harness';
import { wordOf, writeDocuments } from './faults/documents.mjs';
import { figures, load } from './lib/figures.mjs';
import { inPlace, withRunning } from './lib/installation.mjs';
import { SlowExtractor } from './lib/slow-extractor.mjs';

const require = createRequire(import.meta.url);
const print = (text) => process.stdout.write(`${text}\n`);
const LONGEST_MS = 120_000;
const MOST_RATIO = 2;
/** The ending of slow documents. */
const ENDING = 'doc';
/** Slow documents of each group, milliseconds that each takes, and those read before the measurement. */
const SLOW = { documents: 200, ms: 10_000, before: 12 };

/** A group with its own folder, for single documents. */
const openParty = async ({ running, place }, { name, groupId, key }) => {
  const { registerFolder } = require('@acervo/contracts');
  const { WorkScope } = require('@acervo/rbac');
  const folder = join(place, name);
  mkdirSync(folder);
  const scope = new WorkScope(groupId, 'standalone', 'bench');
  const { locationCode } = await running.calls.send(registerFolder, scope, { path: folder, entityCode: 'E1' });
  const client = new HttpClient({ port: running.port, key });
  return { name, folder, scope, locationCode, client, running, alone: [], behind: [] };
};

const scan = ({ running, scope, locationCode }) => {
  const { startRun } = require('@acervo/contracts');
  return running.calls.send(startRun, scope, { locationCode, acceptDeletions: false });
};

const finds = async ({ client }, word) => {
  const { status, body } = await client.send('POST', '/v1/documents/search', { query: word, limit: 1 });
  // A busy machine may refuse a search once; the next poll repeats it.
  if (status === 503) return false;
  if (status !== 200) throw new Error(`The search answered ${status}.`);
  return (body.documents[0]?.chunks[0]?.text ?? '').includes(word);
};

let arrived = 20_000;
/** Requests a scan as users do: it waits for a slot. */
const requestScan = async ({ client, locationCode }) => {
  const input = { location_code: locationCode };
  const { status } = await client.send('POST', '/v1/operations/ingestion_runs.start:execute', { input });
  if (status !== 200) throw new Error(`The scan was answered with ${status}.`);
};

/** Milliseconds from the scan of one new document until a search finds it. */
const arrive = async (party, look = scan) => {
  const index = (arrived += 1);
  writeFileSync(join(party.folder, `nuevo-${index}.txt`), `Acta nueva. El ${wordOf(index)} consta en el libro.`);
  const started = performance.now();
  const scanned = look(party);
  while (!(await finds(party, wordOf(index)))) {
    if (performance.now() - started > LONGEST_MS) throw new Error(`${party.name}: a new document was never found.`);
    await pause(20);
  }
  const took = performance.now() - started;
  await scanned;
  return took;
};

const waiting = async (running, scope) => {
  const { ingestionProgress } = require('@acervo/contracts');
  return (await running.calls.send(ingestionProgress, scope, {})).waiting;
};

const report = ({ name, alone, behind }) => {
  const [idle, busy] = [figures(alone), figures(behind)];
  const ratio = busy.p50 / idle.p50;
  print(
    `${name.padEnd(12)} idle p50 ${idle.p50.toFixed(0)} ms   behind the backlog p50 ${busy.p50.toFixed(0)} ms, most ${busy.most.toFixed(0)} ms   ${ratio.toFixed(2)} x (goal ${MOST_RATIO})   N ${busy.n}`,
  );
  return ratio;
};

/** Another group, registered as users do: its id and the key of its administrator. */
const anotherGroup = async ({ running }, data, email) => {
  const { listGroups } = require('@acervo/contracts');
  const { anonymous } = require('@acervo/rbac');
  const ids = async () => (await running.calls.send(listGroups, anonymous, {})).groups.map(({ groupId }) => groupId);
  const before = await ids();
  const { key } = await registered(new HttpClient({ port: running.port }), data, email);
  return { groupId: (await ids()).find((groupId) => !before.includes(groupId)), key };
};

/** One new document of the party, while two other groups occupy every slot with documents of seconds. */
const measureBehindSlowGroups = async (installation, party, { place, data, slow, rounds, extractor }) => {
  const { running } = installation;
  const measured = { ...party, name: 'slow-groups', alone: [], behind: [] };
  for (let round = 0; round < rounds; round += 1) measured.alone.push(await arrive(measured, requestScan));
  const groups = [];
  for (const name of ['slow-1', 'slow-2']) {
    const group = await anotherGroup(installation, data, `${name}@example.test`);
    const opened = await openParty({ running, place }, { name, ...group });
    for (let index = 0; index < slow.documents; index += 1)
      writeFileSync(join(opened.folder, `lento-${index}.${ENDING}`), `${name} ${index}`);
    await scan(opened);
    groups.push(opened);
  }
  // Then the step before is ahead, and the batches of both groups are full.
  await until('some slow documents are read', () => extractor.files >= slow.before, 120_000);
  for (let round = 0; round < rounds; round += 1) measured.behind.push(await arrive(measured, requestScan));
  const left = Math.min(...(await Promise.all(groups.map(({ scope }) => waiting(running, scope)))));
  if (left === 0) throw new Error('The slow groups have too few documents to measure behind.');
  print(`${left} of ${slow.documents} documents of each slow group still wait; ${load()}`);
  extractor.delayMs = 0;
  for (const { scope } of groups) while ((await waiting(running, scope)) > 0) await pause(200);
  return { left, ratio: report(measured) };
};

const measure = async (installation, parameters) => {
  const { place, data, documents, rounds } = parameters;
  const { running, key } = installation;
  const here = { running, place };
  const session = { groupId: running.group.groupId, key };
  const parties = [
    await openParty(here, { name: 'other-group', ...(await anotherGroup(installation, data, 'vecina@example.test')) }),
    await openParty(here, { name: 'same-group', ...session }),
  ];
  for (const party of parties) await arrive(party);
  const slowGroups = await measureBehindSlowGroups(installation, parties[0], parameters);
  for (let round = 0; round < rounds; round += 1) for (const party of parties) party.alone.push(await arrive(party));
  const backlog = await openParty(here, { name: 'backlog', ...session });
  writeDocuments(backlog.folder, documents);
  await scan(backlog);
  for (let round = 0; round < rounds; round += 1)
    for (const party of parties) {
      party.behind.push(await arrive(party));
      if ((await waiting(running, backlog.scope)) === 0) throw new Error('The backlog is too short to measure behind.');
    }
  const left = await waiting(running, backlog.scope);
  print(`${left} of ${documents} documents still wait; ${load()}`);
  return { left, ratios: parties.map(report), slowGroups };
};

/**
 * Returns the rest of the backlog and the ratios of the other group and of the same group, and both behind two slow
 * groups. The exit code reports whether the goals were met.
 */
export const run = ({ documents, rounds, slow = SLOW }) =>
  inPlace(undefined, async (place) => {
    const [folder, data] = [join(place, 'empty'), join(place, 'data')];
    mkdirSync(folder);
    const extractor = new SlowExtractor(slow.ms);
    const environment = { ...process.env, ...(await extractor.start(ENDING)) };
    try {
      return await withRunning({ folder, data, environment }, async (installation) => {
        await installation.running.ingested;
        const found = await measure(installation, { place, data, documents, rounds, slow, extractor });
        if ([...found.ratios, found.slowGroups.ratio].some((ratio) => ratio > MOST_RATIO)) process.exitCode = 1;
        return found;
      });
    } finally {
      extractor.stop();
    }
  });
