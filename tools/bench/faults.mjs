// kill -9 of every process of an installation, at random and at chosen places, while it ingests documents.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort, retryUntilAvailable } from '@acervo/e2e/harness';
import { check, progress } from './faults/checks.mjs';
import { Deaths, Hits } from './faults/deaths.mjs';
import { changeDocuments, writeDocuments } from './faults/documents.mjs';
import { phases, planOf, victims } from './faults/plan.mjs';
import { load } from './lib/figures.mjs';
import { Killable } from './lib/killable.mjs';
import { numbers } from './texts.mjs';

const print = (text) => process.stdout.write(`${text}\n`);

/** Searches in a loop; counts refusals and the longest time without an answer. */
const searching = (installation, word) => {
  const counts = { answered: 0, refused: 0, longestMs: 0, on: true };
  let since = Date.now();
  const search = async () => {
    while (counts.on) {
      const answered = await installation.first(word).then(
        () => true,
        () => false,
      );
      counts[answered ? 'answered' : 'refused'] += 1;
      if (answered) since = Date.now();
      counts.longestMs = Math.max(counts.longestMs, Date.now() - since);
      await pause(250);
    }
  };
  counts.over = search();
  return counts;
};

const killAll = async (installation, deaths, { kills, documents, next }) => {
  for (const { victim, at, waitMs } of kills) {
    await retryUntilAvailable('Progress', async () =>
      (await progress(installation, victim)) >= at * documents ? true : undefined,
    );
    await pause(waitMs);
    await installation.restarting;
    await deaths.kill(victim, next());
  }
};

/** Changes some documents once half of all are done; waits until searches find their new text. */
const change = async (installation, { expected, documents, round, seconds }) => {
  await retryUntilAvailable('Progress', async () =>
    (await progress(installation)) >= documents / 2 ? true : undefined,
  );
  for (const { name, word } of changeDocuments(expected, round))
    await retryUntilAvailable(
      `A search that finds what ${name} says now`,
      async () => ((await installation.first(word))?.name === name ? true : undefined),
      seconds * 1_000,
    );
};

const playRound = async ({ place, folder, expected, seed, round, documents, hits, only = victims }) => {
  const plan = planOf(seed, round, documents, only);
  const data = join(place, `data-${round}`);
  const installation = new Killable({ folder, data, port: await freePort() });
  const deaths = new Deaths(installation, plan, hits);
  const started = Date.now();
  try {
    await installation.start(deaths.failpoints);
    const watching = deaths.watch();
    const searches = searching(installation, expected[0].word);
    const seconds = 240 + documents / 2;
    await Promise.all([
      killAll(installation, deaths, { ...plan, documents, next: numbers(seed + round) }),
      change(installation, { expected, documents, round, seconds }),
    ]);
    const found = await check(installation, { expected, files: documents, seconds });
    Object.assign(searches, { on: false });
    deaths.stop();
    await Promise.all([watching, searches.over]);
    return { ...found, searches, seconds: (Date.now() - started) / 1000 };
  } finally {
    deaths.stop();
    await installation.stop();
    rmSync(data, { recursive: true, force: true });
  }
};

const report = (round, { states, missing, open, live, chunks, doubled, searches, seconds }) => {
  print(
    `round ${round}: ${states}; ${chunks} chunks for ${live}, ${doubled} doubled, ${missing.length} lost (${seconds.toFixed(0)} s)`,
  );
  const { answered, refused, longestMs } = searches;
  print(
    `  searches meanwhile: ${answered} answered, ${refused} not, ${(longestMs / 1000).toFixed(1)} s without an answer at most`,
  );
  if (open > 0) print(`  runs that still say that they scan: ${open}`);
  if (missing.length > 0) print(`  not found: ${missing.slice(0, 10).join(', ')}`);
};

/**
 * The exit code reports whether all checks passed.
 * @param only the only victims of kills from outside, for a short form
 */
export const run = async ({ rounds, documents, seed, only }) => {
  const place = mkdtempSync(join(tmpdir(), 'acervo-faults-'));
  const folder = join(place, 'folder');
  const hits = new Hits();
  let failed = 0;
  print(`${rounds} rounds of ${documents} documents, seed ${seed}; ${load()}`);
  try {
    const expected = writeDocuments(folder, documents);
    for (let round = 0; round < rounds; round += 1) {
      const result = await playRound({ place, folder, expected, seed, round, documents, hits, only });
      report(round, result);
      if (!result.good || result.doubled > 0) failed += 1;
    }
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
  print('\nkilled, by process and phase:');
  for (const line of hits.lines) print(`  ${line}`);
  const unhit = phases.filter((phase) => hits.of(phase) === 0);
  const unexplained = hits.of('UNEXPLAINED');
  if (unhit.length > 0) print(`never hit: ${unhit.join(', ')}`);
  if (unexplained > 0) print(`${unexplained} processes ended without anybody having killed them`);
  const good = failed === 0 && unhit.length === 0 && unexplained === 0;
  print(
    good ? `\nall held: 0 lost, 0 doubled in ${rounds} rounds of ${documents} documents` : `\n${failed} rounds failed`,
  );
  if (!good) process.exitCode = 1;
};
