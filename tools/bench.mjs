#!/usr/bin/env node
// Measures and checks the product on this machine; see the usage below.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from './lib/options.mjs';
import { build, install } from './lib/workspace.mjs';

const benches = {
  speed: () => import('./bench/speed.mjs'),
  lexical: () => import('./bench/lexical.mjs'),
  quality: () => import('./bench/quality.mjs'),
  ask: () => import('./bench/ask.mjs'),
  embedding: () => import('./bench/embedding.mjs'),
  'first-search': () => import('./bench/first-search.mjs'),
  formats: () => import('./bench/formats.mjs'),
  extraction: () => import('./bench/extraction.mjs'),
  readers: () => import('./bench/readers.mjs'),
  unstructured: () => import('./bench/unstructured.mjs'),
  identity: () => import('./bench/identity.mjs'),
  faults: () => import('./bench/faults.mjs'),
  fairness: () => import('./bench/fairness.mjs'),
  overload: () => import('./bench/overload.mjs'),
  attack: () => import('./bench/attack.mjs'),
  classification: () => import('./bench/classification.mjs'),
  scan: () => import('./bench/scan.mjs'),
  watch: () => import('./bench/watch.mjs'),
  schemathesis: () => import('./bench/schemathesis.mjs'),
  mutation: () => import('./bench/mutation.mjs'),
  dashboards: () => import('./bench/dashboards.mjs'),
  drain: () => import('./bench/drain.mjs'),
  soak: () => import('./bench/soak.mjs'),
  spaces: () => import('./bench/spaces.mjs'),
  promises: () => import('./bench/promises.mjs'),
  planted: () => import('./bench/planted.mjs'),
  web: () => import('./bench/web.mjs'),
  peers: () => import('./bench/peers.mjs'),
  ...Object.fromEntries(
    ['mutants', 'timing', 'visibility', 'interference', 'recall', 'pools', 'roll', 'rotate'].map((name) => [
      name,
      async () => ({ run: (await import('./bench/walls.mjs'))[name] }),
    ]),
  ),
};
const usage = `npm run bench -- speed [--chunks N] [--rounds N] [--embedder NAME] [--keep DIR] [--data DIR --collections NAME]
                        ingestion, searches beside it, memory, search and its parts; generated texts or those of a collection
npm run bench -- speed --stack [--only event,relay,search] [--chunks N,N,N] [--rounds N] [--embedder e5|hashing] [--processes]
                        on real engines, which it starts: an event from commit to handler, the relay beside a bare producer,
                        search beside its parts with so many synthetic chunks, one size after the other
npm run bench -- embedding [--chunks N] [--rounds N] [--only embedder,ingestion]
                        the embedder beside a bare session of its runtime, its installation, its memory; ingestion beside it
npm run bench -- first-search [--files N | --samples] [--embedder NAME] [--rounds N]   a fresh data directory, 200 small texts: seconds to the
                        first, half and all documents by words and by meaning; CPU and engine runs of a document
npm run bench -- quality [--data DIR] [--demo DIR] [--embedder NAME,NAME] [--collections A,B] [--keep DIR] [--runs DIR]
                        [--lexical postgresql|opensearch|both]
  --data         judged collections, a folder each: corpus.jsonl, queries.jsonl, qrels.tsv
  --demo         files/ and QUESTIONS.tsv
  --embedder     which embedders, one after the other (default: e5,hashing,weak; weak is served by the bench)
  --collections  only these
  --lexical      what ranks by words; both: one after the other on the same chunks, and how far they differ
                 (OpenSearch as ACERVO_OPENSEARCH_* say: npm run stack -- env)
  --keep         ingested data is left here and used again
  --runs         the rankings of both legs are written here, for tuning
npm run bench -- ask --data DIR [--embedder NAME] [--keep DIR]   answers without a chat model over the demo (files/ below DIR): what they
                        quote, when they abstain, whether their citations stand; with e5, then with hashing, or with one embedder
npm run bench -- lexical --data DIR [--collections A,B]   words in PostgreSQL beside OpenSearch, same chunks
npm run bench -- formats --data DIR            every row of a MANIFEST.tsv, through /v1
npm run bench -- extraction [--data DIR] [--rounds N] [--fuzz N]
npm run bench -- classification --data DIR [--only accuracy,features,rate] [--seed N] [--keep DIR]
npm run bench -- classification --only features   # generated documents and marked passages, without data
                        types of judged collections, features of generated documents, rate of rules
npm run bench -- readers --data DIR            the parts that the report of an extraction counts, beside openpyxl, python-docx,
                        python-pptx, pypdf and odfpy on all files below a folder (installs them, once)
npm run bench -- peers --data DIR [--collections A,B] [--documents N] [--systems acervo,txtai,haystack] [--rounds N] [--json FILE] [--check]
                        CPU, disk, memory, times and nDCG@10 beside txtai and Haystack with pgvector, with one instant embedder
                        (installs them, once); --check: nDCG@10 alone
npm run bench -- unstructured                  the real library, installed when this is asked for
npm run bench -- identity [--rounds N] [--only LIST]   the promises about logins, in full, or some parts
npm run bench -- faults [--rounds N] [--documents N] [--seed N]   kill -9 of every process while documents are ingested
npm run bench -- scan [--files N]              first scan of a tree, the same again, a renamed folder at the top
npm run bench -- watch [--rounds N]             a file in a watched folder: added, changed and deleted, until a search shows it
npm run bench -- fairness [--documents N] [--rounds N]   one new document of another group, and of the same, behind many
npm run bench -- overload [--seconds N]        ten times the load that the machine carries: refusals, times, memory, recovery
npm run bench -- attack [--seconds N] [--only gateway:public,...]   callers without an account that hold bodies, answers and connections
                        of each port in turn: places, memory, searches meanwhile
npm run bench -- schemathesis [--minutes N] [--seed N]   requests from the published description, right and wrong (installs Schemathesis, once)
npm run bench -- soak [--minutes N | --hours N] [--every N]   half of the load that the machine carries, two groups, and kills
                        (every N minutes): memory, descriptors, rows, agreement of the stores
npm run bench -- drain [--rounds N] [--service A,B] [--rate N] [--files N] [--keep DIR] [--stack]   SIGTERM under load, one of two processes
                        of each service in turn: failed requests, exit codes and times, deaths; a long scan beside ingestion; --stack: on PostgreSQL
npm run bench -- spaces [--documents N] [--rounds N] [--stack | --worlds N]   a space of 100,000 documents: gathered, composed and counted,
                        its transactions, searches beside its refresh; --stack: on PostgreSQL; --worlds: the laws of sets in so many worlds
npm run bench -- mutation [--only rbac,visibility,spaces,executor] [--since REVISION]
                        small changes of the code that decides who may do what: how many the suites notice (installs Stryker, once)
npm run bench -- web --data DIR [--collections A,B] [--embedder hashing|e5]
                        research of a linked site: pages of one judged query among those of other collections, with traps
npm run bench -- mutants                       all, and each predicate on a group removed, with and without row security
npm run bench -- timing                        2,000 pairs of what is hidden and what is absent, in each field of a route that names something
npm run bench -- visibility                    2,000 worlds of entities, areas, folders and keys against plain sets
npm run bench -- interference [--lexical postgresql|opensearch|both]
                        200 answers before and after another group loads ten times as much (OpenSearch is started for it)
npm run bench -- recall                        an area with one in a hundred of 50,000 chunks, against an exact search
npm run bench -- roll [--requests N]           each service twice behind HAProxy, rolled under load to programs of a later schema
npm run bench -- rotate                        each service twice behind HAProxy: all passwords of the database and the key pepper replaced
                        under load, step by step: failed requests, lost sessions
npm run bench -- promises                      every promise about milliseconds and ratios (*.speed.ts), on an idle machine
npm run bench -- planted                       mistakes that the gate must notice, planted one after another in this checkout
npm run bench -- dashboards [--seconds N]      whether each panel shows series: a real Prometheus scrapes the product under load
npm run bench -- pools                         100,000 transactions of two groups on two connections
`;
const text = (value) => ({ type: 'string', ...(value === undefined ? {} : { default: value }) });
const folders = ['data', 'demo', 'keep', 'runs'];
const named = [
  ...folders,
  'chunks',
  'minutes',
  'seconds',
  'rounds',
  'documents',
  'embedder',
  'collections',
  'lexical',
  'only',
  'since',
  'hours',
  'requests',
  'every',
  'service',
  'worlds',
  'systems',
  'json',
];

/** Parses the arguments; prints an error and returns undefined if they are invalid. */
const readArguments = () => {
  const options = {
    fuzz: text('5000'),
    help: { type: 'boolean', short: 'h' },
    seed: text('1'),
    rate: text('100'),
    files: text(),
    stack: { type: 'boolean' },
    samples: { type: 'boolean' },
    processes: { type: 'boolean' },
    check: { type: 'boolean' },
    ...Object.fromEntries(named.map((name) => [name, text()])),
  };
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    process.stderr.write(`${error.message}\n\n`);
    return undefined;
  }
};
const { values, positionals } = readArguments() ?? { values: {}, positionals: [] };
/** Default rounds: many for searches, which are short, and few for readings, which are long. */
const rounds = {
  speed: 200,
  identity: 2_000,
  extraction: 5,
  faults: 20,
  fairness: 7,
  drain: 20,
  embedding: 5,
  watch: 30,
  spaces: 5,
  'first-search': 5,
  peers: 3,
};
const documents = { faults: 1_000, fairness: 10_000, spaces: 100_000 };
/** A scan reads names; each text of a first search is embedded as well. */
const files = { scan: 10_000, drain: 10_000, 'first-search': 200 };

const load = benches[positionals[0]];
if (values.help === true) process.stdout.write(usage);
else if (load === undefined) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else {
  await install();
  await build();
  const { run } = await load();
  const folderOptions = folders.filter((name) => values[name] !== undefined);
  const asked = {
    ...values,
    ...Object.fromEntries(folderOptions.map((name) => [name, resolve(values[name])])),
    chunks: Number(values.chunks ?? 10_000),
    sizes: values.chunks,
    fuzz: Number(values.fuzz),
    seed: Number(values.seed),
    rate: Number(values.rate),
    files: Number(values.files ?? files[positionals[0]] ?? 0),
    minutes: Number(values.minutes ?? 30),
    seconds: Number(values.seconds ?? 300),
    documents: Number(values.documents ?? documents[positionals[0]] ?? 0),
    rounds: Number(values.rounds ?? rounds[positionals[0]] ?? 0),
  };
  try {
    await run(asked);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  }
}
