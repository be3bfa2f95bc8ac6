// A large space: how long it takes to gather, compose and count it, its transactions, and searches beside a refresh.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { figures, load, show, timed } from './lib/figures.mjs';
import { goal } from './lib/goals.mjs';
import { bothLegsAnswer, inPlace, withRunning } from './lib/installation.mjs';
import { searching } from './lib/searching.mjs';
import { spaceCalls } from './spaces/calls.mjs';
import { vacuum, writeDocuments } from './spaces/documents.mjs';
import { observeTransactions } from './spaces/transactions.mjs';
import { onEngines } from './speed/engines.mjs';
import { corpus } from './texts.mjs';
import { spaceLaws } from './walls.mjs';

const print = (text) => process.stdout.write(`${text}\n`);
/** Milliseconds; `null` where the engine has one session and no goal is set. */
const GOALS = {
  postgresql: { compose: 2_000, count: 50, transaction: 50, searches: 2 },
  embedded: { compose: 10_000, count: null, transaction: null, searches: 2 },
};
/** Chunks that searches read beside the documents of the space. */
const CHUNKS = 2_000;
const COUNTS = 50;
const WARM_UP = 10;
const SHOWS = 5;
/** Searches of one round, alone and beside refreshes. */
const SEARCHES = 50;
/** The documents have no folder, and the members of versions before stay, so that no deletion disturbs a figure. */
const ENVIRONMENT = { ACERVO_RECONCILE_SETTLE_SECONDS: '3600' };

const seconds = (ms) => `${(ms / 1_000).toFixed(2)} s`;
const within = (text, most, value) => (most === null ? '' : ` ${goal(text, value <= most)}`);

/** Delays deletions beyond the bench. */
const deferPurges = (installation) =>
  installation.change(
    'retrieval',
    `update retrieval.task set not_before = now() + interval '1 h' where group_id = $1 and stage = 'purge-space' returning stage`,
  );

const gather = async (calls) => {
  const spaces = {};
  for (const type of ['TODO', 'PAR', 'RARO']) {
    let space;
    const ms = await timed(async () => (space = await calls.create(type)));
    print(`gathered by criteria            ${String(space.document_count).padStart(7)} documents in ${seconds(ms)}`);
    spaces[type] = space.space_id;
  }
  return spaces;
};

/** Each operation, `rounds` times; the slowest counts. */
const compose = async (calls, { TODO, PAR, RARO }, rounds, most) => {
  const cases = [
    ['union', TODO, PAR],
    ['intersection', TODO, TODO],
    ['difference', TODO, RARO],
    ['symmetric_difference', TODO, RARO],
    ['difference', TODO, TODO],
  ];
  for (const [operation, a, b] of cases) {
    const times = [];
    let composed;
    for (let round = 0; round < rounds; round += 1)
      times.push(await timed(async () => (composed = await calls.compose(operation, a, b))));
    const { p50, most: slowest } = figures(times);
    print(
      `${operation.padEnd(31)} ${String(composed.document_count).padStart(7)} documents in ${seconds(p50)}, ` +
        `at most ${seconds(slowest)}, N ${rounds}${within(seconds(most), most, slowest)}`,
    );
  }
};

const repeated = async (rounds, work) => {
  const times = [];
  for (let round = 0; round < rounds; round += 1) times.push(await timed(work));
  return times;
};

const countTimes = async (name, calls, space) => {
  await repeated(WARM_UP, () => calls.count(space));
  const times = await repeated(COUNTS, () => calls.count(space));
  const found = figures(times);
  show(name, found);
  print(`  the fastest ${Math.min(...times).toFixed(1)} ms; ${load()}`);
  return found;
};

/** Counts in new tables, and in vacuumed ones where the engine has autovacuum. */
const count = async (installation, calls, space, most) => {
  await countTimes('count, new tables', calls, space);
  if (most !== null) {
    await vacuum(installation);
    const { p95 } = await countTimes('count, vacuumed tables', calls, space);
    print(`count of vacuumed tables, p95${within(`${most} ms`, most, p95)}`);
  }
  show('the space and its first page', figures(await repeated(SHOWS, () => calls.show(space))));
};

/** Refreshes one space after the other until it is stopped; returns their times. */
const refreshing = (calls, space) => {
  const times = [];
  let stopped = false;
  const repeat = async () => {
    while (!stopped) times.push(await timed(() => calls.refresh(space)));
  };
  const over = repeat();
  return {
    stop: async () => {
      stopped = true;
      await over;
      return times;
    },
  };
};

/** Searches alone and beside refreshes, alternating. */
const beside = async (installation, calls, space, { rounds, searches }) => {
  const [alone, together, refreshes] = [[], [], []];
  const some = () => searching(installation, { betweenMs: 10, most: searches }).done();
  await some();
  for (let round = 0; round < rounds; round += 1) {
    await deferPurges(installation);
    alone.push(...(await some()));
    const running = refreshing(calls, space);
    together.push(...(await some()));
    refreshes.push(...(await running.stop()));
  }
  return { alone: figures(alone), together: figures(together), refreshes };
};

const measure = async (installation, { documents, rounds, goals }) => {
  const calls = spaceCalls(installation);
  print(
    `${documents} documents written in ${seconds(await timed(() => writeDocuments(installation, documents)))}; ${load()}`,
  );
  const transactions = observeTransactions();
  try {
    const spaces = await gather(calls);
    await compose(calls, spaces, rounds, goals.compose);
    const { refresh, others } = transactions.taken();
    const found = figures(refresh);
    show('transactions of refreshes', found);
    print(
      `longest transaction ${found.most.toFixed(0)} ms${within(`${goals.transaction} ms`, goals.transaction, found.most)}; ` +
        `of everything else ${figures(others).most.toFixed(0)} ms; ${load()}`,
    );
    await count(installation, calls, spaces.TODO, goals.count);
    const searches = await beside(installation, calls, spaces.TODO, { rounds, searches: SEARCHES });
    show('searches alone', searches.alone);
    show('searches beside refreshes', searches.together);
    show('transactions beside searches', figures(transactions.taken().refresh));
    const ratio = searches.together.p95 / searches.alone.p95;
    print(
      `p95 beside refreshes ${ratio.toFixed(2)} x${within(`${goals.searches} x`, goals.searches, ratio)}; ` +
        `${searches.refreshes.length} refreshes, ${seconds(figures(searches.refreshes).p50)} each; ${load()}`,
    );
  } finally {
    transactions.end();
  }
};

const onInstallation = (engine, { documents, rounds }) =>
  inPlace(undefined, async (place) => {
    const folder = join(place, 'folder');
    mkdirSync(folder);
    corpus(folder, CHUNKS);
    const request = { folder, data: join(place, 'data'), embedder: 'hashing', environment: ENVIRONMENT };
    await withRunning(request, async (installation) => {
      await installation.running.ingested;
      await bothLegsAnswer(installation);
      print(`${engine} engine`);
      await measure(installation, { documents, rounds, goals: GOALS[engine] });
    });
  });

/** On the embedded database, or on PostgreSQL and OpenSearch that are started for it; with `worlds` the laws of sets instead. */
export const run = async ({ worlds, stack, documents, rounds }) => {
  if (worlds !== undefined) return spaceLaws({ worlds });
  if (stack === true)
    return onEngines(['postgres', 'opensearch'], () => onInstallation('postgresql', { documents, rounds }));
  return onInstallation('embedded', { documents, rounds });
};
