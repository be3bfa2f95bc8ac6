// Time from one new document to a search that finds it: without other work, and behind a long backlog of one group.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wordOf, writeDocuments } from './faults/documents.mjs';
import { figures, load } from './lib/figures.mjs';
import { secondGroup } from './lib/groups.mjs';

const require = createRequire(import.meta.url);
const print = (text) => process.stdout.write(`${text}\n`);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const LONGEST_MS = 120_000;
const MOST_RATIO = 2;

/** A group with its own folder, for single documents. */
const openParty = async ({ running, port, place }, { name, groupId, key }) => {
  const { registerFolder } = require('@acervo/contracts');
  const { WorkScope } = require('@acervo/rbac');
  const folder = join(place, name);
  mkdirSync(folder);
  const scope = new WorkScope(groupId, 'standalone', 'bench');
  const { locationCode } = await running.calls.send(registerFolder, scope, { path: folder, entityCode: 'E1' });
  return { name, folder, scope, locationCode, key, port, running, alone: [], behind: [] };
};

const scan = ({ running, scope, locationCode }) => {
  const { startRun } = require('@acervo/contracts');
  return running.calls.send(startRun, scope, { locationCode, acceptDeletions: false });
};

const finds = async ({ port, key }, word) => {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/documents/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: word, limit: 1 }),
  });
  // A busy machine may refuse a search once; the next poll repeats it.
  if (answer.status === 503) return false;
  if (!answer.ok) throw new Error(`The search answered ${answer.status}.`);
  return ((await answer.json()).documents[0]?.chunks[0]?.text ?? '').includes(word);
};

let arrived = 20_000;
/** Milliseconds from the scan of one new document until a search finds it. */
const arrive = async (party) => {
  const index = (arrived += 1);
  writeFileSync(join(party.folder, `nuevo-${index}.txt`), `Acta nueva. El ${wordOf(index)} consta en el libro.`);
  const started = performance.now();
  const scanned = scan(party);
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

const measure = async ({ running, place, port, data, documents, rounds }) => {
  const { key, claims } = await secondGroup({ port, data });
  const here = { running, port, place };
  const session = { groupId: running.group.groupId, key: running.apiKey };
  const parties = [
    await openParty(here, { name: 'other-group', groupId: claims.gid, key }),
    await openParty(here, { name: 'same-group', ...session }),
  ];
  for (const party of parties) await arrive(party);
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
  return { left, ratios: parties.map(report) };
};

/**
 * Returns the rest of the backlog and the ratios of the other group and of the same group. The exit code reports
 * whether the goals were met.
 */
export const run = async ({ documents, rounds }) => {
  require('reflect-metadata');
  const { startStandalone } = require('@acervo/standalone');
  const place = mkdtempSync(join(tmpdir(), 'acervo-bench-'));
  const [folder, data] = [join(place, 'empty'), join(place, 'data')];
  mkdirSync(folder);
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const options = { folder, sample: folder, data, port, processes: false, scanOnly: false };
  const embedder = { ACERVO_EMBEDDER: 'hashing' };
  const environment = { administrator: 'admin@acervo.local', mail: {}, logLevel: 'warn', embedder };
  const running = await startStandalone(options, environment, () => undefined);
  try {
    await running.ingested;
    const found = await measure({ running, place, port, data, documents, rounds });
    if (found.ratios.some((ratio) => ratio > MOST_RATIO)) process.exitCode = 1;
    return found;
  } finally {
    await running.stop();
    rmSync(place, { recursive: true, force: true });
  }
};
