// One round of one system: ingestion, searches, rest, an added document, a restart.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { cpuOf } from '../lib/cpu.mjs';
import { figures } from '../lib/figures.mjs';
import { proportionalMemory } from '../lib/memory.mjs';
import { meanOf, scoresOf } from '../lib/scores.mjs';
import { Refusal } from './server.mjs';
import { median } from './table.mjs';

const LIMIT = 10;
/** Systems that return chunks repeat a document; more of them make ten documents. */
const LIMIT_OF_QUALITY = 20;
const WARM_UP = 30;
const SEARCHES = 100;
const SEARCHES_TOGETHER = 200;
/** Passes of both; the first ones still compile a program that does so while it runs. */
const PASSES = 3;
const CLIENTS = 8;
const SETTLE_MS = 10_000;
const REST_MS = 20_000;
const ADDED = 5;
const POLL_MS = 20;
const LONGEST_MS = 60_000;

const seconds = (since) => (performance.now() - since) / 1_000;
const cpu = (system) => system.pids().reduce((sum, pid) => sum + cpuOf(pid), 0);
const megabytes = (path) => Number.parseInt(execFileSync('du', ['-sk', path], { encoding: 'utf8' }), 10) / 1_024;
const memory = (system) => system.pids().reduce((sum, pid) => sum + proportionalMemory(pid).all, 0);

/** Megabytes of a system without documents. */
export const emptyDisk = async (system) => {
  system.prepare([]);
  try {
    await system.start();
    await pause(SETTLE_MS);
    return megabytes(system.data);
  } finally {
    await system.stop();
    rmSync(system.data, { recursive: true, force: true });
  }
};

/** CPU, requests and documents a second of the ingestion. A system with a watched folder begins before it is ready. */
export const ingest = async (system, documents, embedder) => {
  const [before, began] = [await embedder.counts(), performance.now()];
  await system.start();
  const ready = cpu(system);
  await system.feed(documents);
  const [took, spent, after] = [seconds(began), cpu(system) - ready, await embedder.counts()];
  return {
    documentsPerSecond: documents.length / took,
    cpuPerDocument: (spent * 1_000) / documents.length,
    requests: after.requests - before.requests,
    memory: memory(system),
    disk: megabytes(system.data),
    ...(system.runs === undefined ? {} : { runsPerDocument: (await system.runs()) / documents.length }),
  };
};

/** The result of a search; undefined where the system refuses it. */
const unlessRefused = (answer) =>
  answer.catch((error) => {
    if (!(error instanceof Refusal)) throw error;
  });

/** So many searches of some clients; each asks the next query when its last one was answered or refused. */
const searches = async (system, queries, { clients, count }) => {
  const [times, began, before] = [[], performance.now(), cpu(system)];
  let next = 0;
  const client = async () => {
    while (next < count) {
      const { text } = queries[next % queries.length];
      next += 1;
      const asked = performance.now();
      if ((await unlessRefused(system.search(text, LIMIT))) !== undefined) times.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const perSecond = times.length / seconds(began);
  const spent = (cpu(system) - before) * 1_000;
  return { p50: figures(times).p50, perSecond, cpu: spent / times.length, refused: count - times.length };
};

/** Medians over the passes. */
const search = async (system, queries) => {
  await searches(system, queries, { clients: 1, count: WARM_UP });
  const [alone, together] = [[], []];
  for (let pass = 0; pass < PASSES; pass += 1) {
    alone.push(await searches(system, queries, { clients: 1, count: SEARCHES }));
    together.push(await searches(system, queries, { clients: CLIENTS, count: SEARCHES_TOGETHER }));
  }
  return {
    searchCpu: median(alone.map(({ cpu: spent }) => spent)),
    searchP50: median(alone.map(({ p50 }) => p50)),
    queriesPerSecond: median(together.map(({ perSecond }) => perSecond)),
    refused: together.reduce((sum, { refused }) => sum + refused, 0),
  };
};

const rest = async (system) => {
  await pause(SETTLE_MS);
  const [before, began] = [cpu(system), performance.now()];
  await pause(REST_MS);
  return ((cpu(system) - before) * 1_000) / seconds(began);
};

const found = async (system, { name, text }) => {
  const began = performance.now();
  while (!(await system.search(text, LIMIT)).includes(name)) {
    if (performance.now() - began > LONGEST_MS) throw new Error(`${system.name} never found an added document.`);
    await pause(POLL_MS);
  }
};

/** Seconds and CPU seconds until added documents are found, the searches that wait for them included. */
const add = async (system) => {
  const [times, spent] = [[], []];
  for (let index = 0; index < ADDED; index += 1) {
    const name = `qzv${'bcdfg'[index]}xk`;
    const [before, began] = [cpu(system), performance.now()];
    const document = { name, text: `${name} was written down once.` };
    await system.add(document);
    await found(system, document);
    times.push(seconds(began));
    spent.push(cpu(system) - before);
    await pause(1_500);
  }
  return { addedSeconds: figures(times).p50, addedCpu: figures(spent).p50 };
};

const restart = async (system, query) => {
  await system.stop();
  const began = performance.now();
  await system.start();
  while ((await system.search(query, LIMIT).catch(() => [])).length === 0) {
    if (performance.now() - began > LONGEST_MS) throw new Error(`${system.name} finds nothing after its restart.`);
    await pause(POLL_MS);
  }
  return seconds(began);
};

/** Mean nDCG@10 of each collection. */
export const quality = async (system, queries) => {
  const means = {};
  for (const [collection, judged] of Object.entries(queries)) {
    const scores = [];
    for (const { text, judged: judgements } of judged)
      scores.push(scoresOf([...new Set(await system.search(text, LIMIT_OF_QUALITY))], judgements));
    means[collection] = meanOf(scores).ndcg;
  }
  return means;
};

/** All figures of a system that was not started yet. @param empty megabytes of it without documents */
export const measure = async (system, { documents, queries, embedder, empty }) => {
  const asked = Object.values(queries).flat();
  system.prepare(documents);
  try {
    const { disk, ...ingestion } = await ingest(system, documents, embedder);
    return {
      ...ingestion,
      disk: disk - empty,
      ...(await search(system, asked)),
      ndcg: await quality(system, queries),
      atRest: await rest(system),
      ...(await add(system)),
      restart: await restart(system, asked[0].text),
    };
  } finally {
    await system.stop();
  }
};
