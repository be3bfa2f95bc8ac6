// How soon a new folder is found, by words and by meaning, from a start with a fresh data directory; what a document costs.
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { cpuOf } from './lib/cpu.mjs';
import { load } from './lib/figures.mjs';
import { inPlace, withRunning } from './lib/installation.mjs';
import { root } from '../lib/options.mjs';
import { numbers, sentence } from './texts.mjs';

const require = createRequire(import.meta.url);
const print = (text) => process.stdout.write(`${text}\n`);
const EVERY_MS = 100;
/** The published engine runs are renewed every 5 s. */
const METRIC_MS = 6_000;

const SENTENCES = 6;

/** Writes small text files of one chunk; returns how many. */
const writeTexts = (folder, files) => {
  const next = numbers(42);
  for (let index = 0; index < files; index += 1) {
    const place = join(folder, `carpeta-${Math.floor(index / 100)}`);
    if (index % 100 === 0) mkdirSync(place, { recursive: true });
    const text = Array.from({ length: SENTENCES }, () => sentence(next)).join(' ');
    writeFileSync(join(place, `nota-${index}.txt`), `Nota ${index}. ${text}`);
  }
  return files;
};

const copySamples = (folder) => {
  cpSync(join(root, 'samples', 'library'), folder, { recursive: true });
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;
};

/** Notes when the first document, half of them and all of them reach a count. */
class Marks {
  #at = {};

  note(count, total, seconds) {
    for (const [name, wanted] of Object.entries({ first: 1, half: Math.ceil(total / 2), all: total }))
      if (count >= wanted) this.#at[name] ??= seconds;
  }

  toString() {
    return ['first', 'half', 'all'].map((name) => `${name} ${(this.#at[name] ?? NaN).toFixed(1)} s`).join(', ');
  }
}

/** Runs of the embedded engine so far, by kind. */
const engineRuns = async (installation) => {
  const metrics = await installation.metrics();
  const runs = metrics.matchAll(/^acervo_embedded_engine_runs_total\{[^}]*kind="(\w+)"[^}]*\} (\d+)/gm);
  return Object.fromEntries([...runs].map(([, kind, count]) => [kind, Number(count)]));
};

const measure = async (installation, began, wanted) => {
  const { ingestionProgress } = require('@acervo/contracts');
  const { WorkScope } = require('@acervo/rbac');
  const { calls, group } = installation.running;
  const scope = new WorkScope(group.groupId, 'standalone', 'bench');
  const [words, meanings] = [new Marks(), new Marks()];
  for (;;) {
    const { counts, waiting, searchable } = await calls.send(ingestionProgress, scope, {});
    const seconds = (performance.now() - began) / 1_000;
    const total = counts.reduce((sum, { documents }) => sum + documents, 0);
    const refused = counts.filter(({ status }) => ['ERROR', 'NO_SOPORTADO'].includes(status));
    const possible = wanted - refused.reduce((sum, { documents }) => sum + documents, 0);
    words.note(searchable, possible, seconds);
    meanings.note(counts.find(({ status }) => status === 'VECTORIZADO')?.documents ?? 0, possible, seconds);
    if (total >= wanted && waiting === 0) return { words, meanings, total, possible };
    await pause(EVERY_MS);
  }
};

export const run = async ({ rounds, files, embedder = 'hashing', samples }) => {
  require('reflect-metadata');
  for (let round = 1; round <= rounds; round += 1)
    await inPlace(undefined, async (place) => {
      const folder = join(place, 'folder');
      mkdirSync(folder);
      const wanted = samples === true ? copySamples(folder) : writeTexts(folder, files);
      const began = performance.now();
      await withRunning({ folder, data: join(place, 'data'), embedder }, async (installation) => {
        const [ready, cpuBefore, runsBefore] = [
          performance.now() - began,
          cpuOf(process.pid),
          await engineRuns(installation),
        ];
        const { words, meanings, total, possible } = await measure(installation, began, wanted);
        const cpu = cpuOf(process.pid) - cpuBefore;
        await pause(METRIC_MS);
        const runsAfter = await engineRuns(installation);
        const runs = Object.entries(runsAfter).map(([kind, count]) => [
          kind,
          (count - (runsBefore[kind] ?? 0)) / total,
        ]);
        const all = runs.reduce((sum, [, count]) => sum + count, 0);
        print(
          `round ${round}: ${possible} of ${total} documents (${wanted} files), ${embedder}; ready after ${(ready / 1_000).toFixed(1)} s`,
        );
        print(`  by words    ${words}`);
        print(`  by meaning  ${meanings}`);
        print(
          `  a document: ${((cpu * 1_000) / total).toFixed(1)} ms of CPU, ${all.toFixed(1)} runs of the engine (${runs.map(([kind, count]) => `${kind} ${count.toFixed(1)}`).join(', ')}); ${load()}`,
        );
      });
    });
};
