// Speed of ingestion beside its bare parts, its effect on searches, memory of the whole, and search beside its parts.
import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readCollection, writeRecords } from './lib/collections.mjs';
import { figures, load, show } from './lib/figures.mjs';
import { goal } from './lib/goals.mjs';
import { inPlace, withRunning } from './lib/installation.mjs';
import { proportionalMemory } from './lib/memory.mjs';
import { searching } from './lib/searching.mjs';
import { bareSpeed } from './speed/bare.mjs';
import { measureLegs } from './speed/legs.mjs';
import { onStack } from './speed/stack.mjs';
import { corpus, queries } from './texts.mjs';

const require = createRequire(import.meta.url);
const print = (text) => process.stdout.write(`${text}\n`);
const SETTLE_MS = 40_000;

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Ingests a folder; returns the seconds until all of it is searchable. */
const ingest = async (running, folder) => {
  const { ingestionProgress, registerFolder, startRun } = require('@acervo/contracts');
  const { WorkScope } = require('@acervo/rbac');
  const { calls, group } = running;
  const scope = new WorkScope(group.groupId, 'standalone', 'bench');
  const started = performance.now();
  const { locationCode } = await calls.send(registerFolder, scope, { path: folder, entityCode: group.entityCode });
  await calls.send(startRun, scope, { locationCode, acceptDeletions: false });
  for (;;) {
    const { waiting, chunks } = await calls.send(ingestionProgress, scope, {});
    if (waiting === 0) return { seconds: (performance.now() - started) / 1000, chunks };
    await pause(250);
  }
};

/** Ingestion without searches, between two measurements of its bare parts on the same texts. */
const measureIngestion = async (running, folder) => {
  const files = filesIn(folder);
  const before = await bareSpeed(running, files);
  const { seconds, chunks } = await ingest(running, folder);
  const after = await bareSpeed(running, files);
  const bare = (before.perSecond + after.perSecond) / 2;
  const [whole, each] = [chunks / seconds, chunks / files.length];
  print(
    `bare        ${bare.toFixed(0)} chunks/s (${before.perSecond.toFixed(0)} before, ${after.perSecond.toFixed(0)} after)`,
  );
  print(
    `ingestion   ${whole.toFixed(0)} chunks/s, ${(whole / bare).toFixed(2)} x ${goal('0.4', whole >= 0.4 * bare)}   ` +
      `N ${chunks} chunks, ${each.toFixed(0)} a document ${goal('10 at least', each >= 10)}; ${load()}\n`,
  );
};

/** Searches during the ingestion of a second folder, and as many after it. */
const measureSearches = async (installation, folder, asked) => {
  const busy = searching(installation, { betweenMs: 100, asked });
  const { seconds } = await ingest(installation.running, folder);
  const during = figures(await busy.stop());
  const idle = figures(
    await searching(installation, { betweenMs: 100, asked, most: Math.max(200, Math.min(during.n, 500)) }).done(),
  );
  show(`search while ingesting (${seconds.toFixed(0)} s)`, during);
  show('search idle', idle);
  const ratio = during.p95 / idle.p95;
  print(
    `p95 while ingesting / idle: ${ratio.toFixed(2)} x ${goal('5', ratio <= 5)}, ` +
      `p95 ${during.p95.toFixed(0)} ms ${goal('1,000', during.p95 <= 1_000)}, at most ${during.most.toFixed(0)} ms; ${load()}\n`,
  );
};

const measureMemory = async (running) => {
  const { ingestionProgress } = require('@acervo/contracts');
  const { WorkScope } = require('@acervo/rbac');
  const scope = new WorkScope(running.group.groupId, 'standalone', 'bench');
  const { chunks } = await running.calls.send(ingestionProgress, scope, {});
  await pause(SETTLE_MS);
  const { parts, all } = proportionalMemory(process.pid);
  const each = parts
    .filter(({ megabytes }) => megabytes > 0)
    .map(({ kind, megabytes }) => `${kind} ${megabytes.toFixed(0)}`);
  print(`memory, idle with ${chunks} chunks: ${all.toFixed(0)} MB ${goal('800', all <= 800)}: ${each.join(', ')}\n`);
};

/** The texts and queries: a judged collection, or as many generated chunks. */
const textsOf = ({ data, collections, chunks }) => {
  if (data === undefined) return { writeTo: (folder) => corpus(folder, chunks), asked: queries };
  const collection = readCollection(data, collections);
  const asked = (count) =>
    Array.from({ length: count }, (_, at) => collection.queries[at % collection.queries.length].text);
  return { writeTo: (folder) => writeRecords(collection, folder), asked };
};

/** The documents in two halves: one to measure the speed, one to ingest during searches. */
const writeHalves = (place, writeTo) => {
  const [all, first, second] = ['all', 'first', 'second'].map((name) => join(place, name));
  if (existsSync(second)) return { first, second };
  writeTo(all);
  for (const [index, name] of readdirSync(all).entries())
    cpSync(join(all, name), join(index % 2 === 0 ? first : second, name), { recursive: true });
  return { first, second };
};

const embedded = ({ rounds, embedder = 'hashing', keep, ...source }) =>
  inPlace(keep, (place) => {
    const { writeTo, asked } = textsOf(source);
    const { first, second } = writeHalves(place, writeTo);
    const [data, folder] = [join(place, 'data'), join(place, 'empty')];
    const exists = existsSync(data);
    mkdirSync(folder, { recursive: true });
    return withRunning({ folder, data, embedder }, async (installation) => {
      const { running } = installation;
      await running.ingested;
      if (!exists && embedder === 'hashing') await measureIngestion(running, first);
      else await ingest(running, first);
      await measureSearches(installation, second, asked);
      await measureMemory(running);
      await measureLegs({ installation, rounds, asked, embedder });
    });
  });

export const run = ({ stack, ...options }) => (stack ? onStack(options) : embedded(options));
