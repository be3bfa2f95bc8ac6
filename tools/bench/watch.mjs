// Time from a file in a watched folder until a search finds it, and from its deletion until no search finds it.
import { appendFileSync, mkdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort, Program } from '@acervo/e2e/harness';
import { wordOf } from './faults/documents.mjs';
import { figures, load } from './lib/figures.mjs';
import { inPlace } from './lib/installation.mjs';

const print = (text) => process.stdout.write(`${text}\n`);
const LONGEST_MS = 60_000;
const POLL_MS = 10;
const GOAL_MS = 1_000;
/** A file that is written again earlier counts as growing. */
const SETTLED_MS = 2_100;
/** Documents that are there before: the loss of one of two would count as the loss of a disk. */
const BEFORE = 20;

const finds = async (program, word) => {
  const { status, body } = await program.send('POST', '/v1/documents/search', { query: word, limit: 3 });
  if (status !== 200) throw new Error(`The search answered ${status}.`);
  return body.documents.some(({ chunks }) => chunks.some(({ text }) => text.includes(word)));
};

/** Milliseconds until a search finds the word, or no longer finds it. */
const until = async (program, word, isFound) => {
  const started = performance.now();
  while ((await finds(program, word)) !== isFound) {
    if (performance.now() - started > LONGEST_MS) throw new Error(`${word} was never ${isFound ? 'found' : 'gone'}.`);
    await pause(POLL_MS);
  }
  return performance.now() - started;
};

const documentOf = (word) => `Acta nueva. El ${word} consta en el libro.\n`;

const report = (name, times) => {
  const { p50, p95, most, n } = figures(times);
  print(
    `${name.padEnd(24)} p50 ${p50.toFixed(0)} ms   p95 ${p95.toFixed(0)} ms (goal ${GOAL_MS})   most ${most.toFixed(0)} ms   N ${n}   ${load()}`,
  );
  return p95;
};

const measure = async (program, folder, rounds) => {
  const times = { added: [], changed: [], deleted: [] };
  for (let round = 0; round < rounds; round += 1) {
    const [word, later] = [wordOf(50_000 + round), wordOf(70_000 + round)];
    const file = join(folder, `nuevo-${round}.txt`);
    writeFileSync(file, documentOf(word));
    times.added.push(await until(program, word, true));
    await pause(SETTLED_MS);
    appendFileSync(file, documentOf(later));
    times.changed.push(await until(program, later, true));
    unlinkSync(file);
    times.deleted.push(await until(program, word, false));
    // A user does not wait for the watcher; the next change comes at any time.
    await pause(Math.random() * 1_500);
  }
  return times;
};

/** Returns the 95th percentiles; the exit code reports whether the goals were met. */
export const run = ({ rounds }) =>
  inPlace(undefined, async (place) => {
    const [folder, data] = [join(place, 'folder'), join(place, 'data')];
    mkdirSync(folder);
    for (let index = 0; index < BEFORE; index += 1)
      writeFileSync(join(folder, `acta-${index}.txt`), documentOf(wordOf(index)));
    const program = await Program.start({ folder, data, port: await freePort(), processes: false });
    try {
      await program.done();
      const times = await measure(program, folder, rounds);
      const worst = Object.entries(times).map(([name, each]) => report(`${name} until seen`, each));
      if (worst.some((p95) => p95 > GOAL_MS)) process.exitCode = 1;
      return worst;
    } finally {
      await program.stop();
    }
  });
