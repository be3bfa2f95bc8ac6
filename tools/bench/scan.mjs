// Cost of scans: the first of a large tree, one of the same tree, one after the rename of a top folder.
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from './lib/figures.mjs';
import { collectGarbage, forgetPeak, peakMemory, residentMemory } from './lib/memory.mjs';
import { assumeIngested, openDatabase, openServices } from './scan/services.mjs';

const require = createRequire(import.meta.url);
const print = (text) => process.stdout.write(`${text}\n`);
const FILES_A_FOLDER = 100;
const FOLDERS_A_TOP = 10;
/** Limits in seconds, and the number of files that they apply to. */
const GOALS = { files: 10_000, first: 30, same: 3, renamed: 30 };
/** Largest memory of one scan in megabytes: a base, and an amount per thousand files. */
const MEMORY = { least: 100, aThousand: 1.5 };

/** Small files: a hundred per folder, ten folders below each top folder. */
const writeTree = (root, files) => {
  for (let index = 0; index < files; index += 1) {
    const folder = Math.floor(index / FILES_A_FOLDER);
    const place = join(root, `arriba-${Math.floor(folder / FOLDERS_A_TOP)}`, `carpeta-${folder}`);
    if (index % FILES_A_FOLDER === 0) mkdirSync(place, { recursive: true });
    writeFileSync(join(place, `acta-${index}.txt`), `El acta ${index} consta en el libro.`);
  }
};

const secondsOf = async (work) => {
  const started = performance.now();
  const result = await work();
  return { result, seconds: (performance.now() - started) / 1000 };
};

/** Additional megabytes of a step. */
const memoryOf = async (work) => {
  collectGarbage();
  const before = residentMemory(process.pid);
  forgetPeak();
  const result = await work();
  return { result, megabytes: peakMemory(process.pid) - before };
};

/** Prints a measured step; returns whether it met its goal and caused no unnecessary work. */
const reported = (name, seconds, goal, more, isFree) => {
  const isGood = seconds <= goal && isFree;
  print(
    `${name.padEnd(30)} ${seconds.toFixed(1).padStart(6)} s (goal ${goal})   ${more}${isGood ? '' : '   NOT KEPT'}`,
  );
  return isGood;
};

const measure = async (engine, place, files) => {
  const { registerFolder, startRun } = require('@acervo/contracts');
  const { WorkScope } = require('@acervo/rbac');
  const groupId = randomUUID();
  const { server, jobs, deliver, close } = await openServices(engine, place);
  const scope = new WorkScope(groupId, 'standalone', 'bench');
  const ask = (call, input) => server.dispatch({ code: call.code, caller: 'standalone', scope, input });
  const count = async (service, from) => {
    const read = (tx) => tx.query(`select count(*)::int as n from ${from}`, [groupId]);
    return (await engine.database(service).read({ groupId }, read))[0].n;
  };
  const root = join(place, 'tree');
  writeTree(root, files);
  const { location_code } = await ask(registerFolder, { path: root, entity_code: 'E1' });
  const steps = () => count('ingestion', `ingestion.task where group_id = $1 and stage not in ('reconcile', 'rescan')`);
  const scan = async (name, goal, isFree) => {
    const before = await steps();
    jobs.length = 0;
    const input = { location_code, accept_deletions: false };
    const { result, megabytes } = await memoryOf(() => secondsOf(() => ask(startRun, input)));
    const { seconds } = result;
    const { seen, added, changed, missing } = result.result;
    const begun = (await steps()) - before;
    const more = `${seen} seen, ${added} new, ${changed} changed, ${missing} gone, ${begun} steps set going, ${jobs.length} files read`;
    const isGood = reported(
      name,
      seconds,
      goal * Math.max(1, files / GOALS.files),
      more,
      !isFree || begun + jobs.length === 0,
    );
    const most = MEMORY.least + (MEMORY.aThousand * files) / 1_000;
    print(
      `  ${megabytes.toFixed(0)} MB by this scan (goal ${most.toFixed(0)})${megabytes <= most ? '' : '   NOT KEPT'}`,
    );
    return isGood && megabytes <= most;
  };
  try {
    const results = [await scan('first scan', GOALS.first, false)];
    await assumeIngested(engine, groupId);
    results.push(await scan('the same tree', GOALS.same, true));
    renameSync(join(root, 'arriba-0'), join(root, 'otro-nombre'));
    const renamed = Math.min(files, FILES_A_FOLDER * FOLDERS_A_TOP);
    const { result, seconds } = await secondsOf(async () => {
      const isFree = await scan('a top folder renamed', GOALS.renamed, true);
      await deliver();
      return isFree;
    });
    const shown = await count(
      'retrieval',
      `retrieval.document where group_id = $1 and relative_path like 'otro-nombre/%'`,
    );
    results.push(
      result,
      reported('until search has the paths', seconds, GOALS.renamed, `${shown} of ${renamed}`, shown === renamed),
    );
    results.push(await scan('the same tree', GOALS.same, true));
    print(load());
    return results.every(Boolean);
  } finally {
    await close();
  }
};

export const run = async ({ files }) => {
  require('reflect-metadata');
  const place = mkdtempSync(join(tmpdir(), 'acervo-bench-'));
  const engine = await openDatabase();
  try {
    print(`${files} files`);
    if (!(await measure(engine, place, files))) process.exitCode = 1;
  } finally {
    await engine.close();
    rmSync(place, { recursive: true, force: true });
  }
};
