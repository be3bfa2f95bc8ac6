// Acervo beside txtai and Haystack with pgvector: the same documents, the same vectors, one system at a time.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { UsageError } from '../lib/options.mjs';
import { collectionsIn } from './lib/collections.mjs';
import { load } from './lib/figures.mjs';
import { inPlace } from './lib/installation.mjs';
import { acervo } from './peers/acervo.mjs';
import { readCorpus } from './peers/corpus.mjs';
import { withCountingEmbedder } from './peers/embedder.mjs';
import { haystack } from './peers/haystack.mjs';
import { emptyDisk, ingest, measure, quality } from './peers/measure.mjs';
import { cells, lostTo, markdown } from './peers/table.mjs';
import { txtai } from './peers/txtai.mjs';

const require = createRequire(import.meta.url);
const print = (text) => process.stdout.write(`${text}\n`);
const SYSTEMS = { acervo, txtai, haystack };
const COLLECTIONS = ['med', 'cisi', 'cranfield'];
/** How far the mean nDCG@10 may lie below that of a peer. */
const MOST_BELOW = 0.003;

const systemsOf = (names = Object.keys(SYSTEMS).join()) => {
  const wanted = names.split(',');
  const unknown = wanted.filter((name) => !(name in SYSTEMS));
  if (unknown.length > 0)
    throw new UsageError(`Unknown: ${unknown.join(', ')}; --systems takes ${Object.keys(SYSTEMS).join()}.`);
  return wanted;
};

const collectionsOf = (data, asked) => {
  if (data === undefined) throw new UsageError('Say where the judged collections are: --data DIR.');
  const [wanted, present] = [asked?.split(',') ?? COLLECTIONS, collectionsIn(data)];
  const absent = wanted.filter((name) => !present.includes(name));
  if (absent.length > 0) throw new UsageError(`No collection ${absent.join(', ')} in ${data}.`);
  return wanted;
};

/** A fresh system in a temporary folder while `work` runs. */
const withSystem = (name, embedder, work) =>
  inPlace(undefined, async (place) => work(await SYSTEMS[name]({ place, embedder, print })));

/** The quality of a system alone. */
const rank = async (system, { documents, queries, embedder }) => {
  system.prepare(documents);
  try {
    await ingest(system, documents, embedder);
    return { ndcg: await quality(system, queries) };
  } finally {
    await system.stop();
  }
};

/** Every system once, the next round in the opposite order. */
const alternating = async (names, rounds, work) => {
  for (let round = 0; round < rounds; round += 1)
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      await work(name);
      print(`round ${round + 1}: ${name} is measured; ${load()}`);
    }
};

const measureAll = async (names, { rounds, check, ...subject }) => {
  const found = Object.fromEntries(names.map((name) => [name, []]));
  const empty = {};
  await alternating(names, check === true ? 1 : rounds, async (name) => {
    if (check !== true) empty[name] ??= await withSystem(name, subject.embedder, emptyDisk);
    const work = check === true ? rank : measure;
    const figures = await withSystem(name, subject.embedder, (system) =>
      work(system, { ...subject, empty: empty[name] }),
    );
    found[name].push(figures);
  });
  return found;
};

export const run = async ({ data, documents: most, collections, systems, rounds, json, check }) => {
  require('reflect-metadata');
  const [names, wanted] = [systemsOf(systems), collectionsOf(data, collections)];
  const corpus = readCorpus(data, wanted, most);
  print(`${corpus.documents.length} documents of ${wanted.join(', ')}; ${load()}`);
  const found = await withCountingEmbedder((embedder) => measureAll(names, { ...corpus, embedder, rounds, check }));
  print(`\n${markdown(cells(found, wanted))}`);
  if (json !== undefined)
    writeFileSync(resolve(json), `${JSON.stringify({ documents: corpus.documents.length, rounds: found }, null, 2)}\n`);
  if (check !== true || found.acervo === undefined) return;
  for (const loss of lostTo(found, MOST_BELOW)) {
    print(`NOT KEPT: ${loss}`);
    process.exitCode = 1;
  }
};
