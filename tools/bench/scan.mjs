// What scans cost: the first of a large tree, one of the same tree, one after a folder at the top was renamed.
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from './lib/figures.mjs';
import { peakMemory } from './lib/memory.mjs';

const require = createRequire(import.meta.url);
const say = (text) => process.stdout.write(`${text}\n`);
const FILES_A_FOLDER = 100;
const FOLDERS_A_TOP = 10;

/** Small files, a hundred a folder, ten folders below each at the top. */
const writeTree = (root, files) => {
  for (let index = 0; index < files; index += 1) {
    const folder = Math.floor(index / FILES_A_FOLDER);
    const place = join(root, `arriba-${Math.floor(folder / FOLDERS_A_TOP)}`, `carpeta-${folder}`);
    if (index % FILES_A_FOLDER === 0) mkdirSync(place, { recursive: true });
    writeFileSync(join(place, `acta-${index}.txt`), `El acta ${index} consta en el libro.`);
  }
};

const CONFIG = {
  publicUrl: 'http://bench',
  extractionFileMb: 10,
  extractionDepth: 4,
  largestFileMb: 20,
  languages: 'es,en',
};

/** The ingestion service on a database, with nobody to work what its scans find. */
const openIngestion = (database, place) => {
  const { InlineSource } = require('@acervo/extraction');
  const { composeIngestion } = require('@acervo/ingestion');
  const { Embedders, HashingEmbedder } = require('@acervo/models');
  const { AuditTrail, CallServer } = require('@acervo/platform-calls');
  const { Failpoints, Outbox } = require('@acervo/platform-messaging');
  const { DirectoryObjectStore } = require('@acervo/platform-object-store');
  const { Tasks } = require('@acervo/platform-queue');
  class NoTrail extends AuditTrail {
    record() {
      return Promise.resolve();
    }
  }
  const engines = {
    ...{ database, background: database, tasks: new Tasks('ingestion', database), outbox: new Outbox('ingestion') },
    ...{ objects: new DirectoryObjectStore(join(place, 'objects')), failpoints: Failpoints.none },
    doorbells: { ring: () => Promise.resolve() },
  };
  // The one job that scans need: the hash of a file that may have moved.
  const cpu = {
    run: (_name, { root, relativePath }) => {
      const bytes = readFileSync(join(root, relativePath));
      return Promise.resolve({ hash: createHash('sha256').update(bytes).digest('hex') });
    },
  };
  const parts = { config: CONFIG, engines, embedders: new Embedders(new HashingEmbedder()), logger: { warn: say } };
  const providers = composeIngestion(parts, { cpu, source: new InlineSource() });
  return new CallServer({ service: 'ingestion', database, audit: new NoTrail(), providers });
};

const measure = async (engine, place, files) => {
  const { registerFolder, startRun } = require('@acervo/contracts');
  const { WorkScope } = require('@acervo/rbac');
  const groupId = randomUUID();
  const database = engine.database('ingestion');
  const server = openIngestion(database, place);
  const scope = new WorkScope(groupId, 'standalone', 'bench');
  const ask = (call, input) => server.dispatch({ code: call.code, caller: 'standalone', scope, input });
  const root = join(place, 'tree');
  writeTree(root, files);
  const { location_code } = await ask(registerFolder, { path: root, entity_code: 'E1' });
  const tasks = async () => {
    const count = 'select count(*)::int as n from ingestion.task';
    return (await database.read({ groupId }, (tx) => tx.query(count)))[0].n;
  };
  const scan = async (name, goal) => {
    const before = await tasks();
    const started = performance.now();
    const { seen, added, changed, missing } = await ask(startRun, { location_code, accept_deletions: false });
    const seconds = (performance.now() - started) / 1000;
    say(
      `${name.padEnd(24)} ${seconds.toFixed(1).padStart(6)} s${goal}   ${seen} seen, ${added} new, ${changed} changed, ${missing} gone, ${(await tasks()) - before} steps set going`,
    );
  };
  const at = (goal) => (files === 10_000 ? ` (goal ${goal})` : '');
  await scan('first scan', at(30));
  await scan('the same tree', at(3));
  renameSync(join(root, 'arriba-0'), join(root, 'otro-nombre'));
  await scan('a top folder renamed', at(30));
  await scan('the same tree', at(3));
  say(`most memory of the scanning process ${peakMemory(process.pid).toFixed(0)} MB; ${load()}`);
};

export const run = async ({ files }) => {
  require('reflect-metadata');
  const { ingestionMigrations } = require('@acervo/ingestion');
  const { migrationsOf } = require('@acervo/platform-service');
  const { openTestDatabase } = require('@acervo/platform-testing');
  const place = mkdtempSync(join(tmpdir(), 'acervo-bench-'));
  const engine = await openTestDatabase({ ingestion: migrationsOf('ingestion', ingestionMigrations) });
  try {
    say(`${files} files`);
    await measure(engine, place, files);
  } finally {
    await engine.close();
    rmSync(place, { recursive: true, force: true });
  }
};
