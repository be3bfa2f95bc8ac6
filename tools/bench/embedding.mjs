// Ingestion with e5 beside its bare server: the same passages, the same process settings, within one run.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { corpus, queries } from './texts.mjs';

const require = createRequire(import.meta.url);
const percentile = (times, share) => [...times].sort((a, b) => a - b)[Math.floor(times.length * share)] ?? NaN;

/** The texts that ingestion embedded, as it left them in its object store. */
const passagesOf = async (running, data) => {
  const { Client } = require('pg');
  const { poolConfig } = require('@acervo/platform-database');
  const client = new Client(poolConfig(running.connection('ingestion_app')));
  await client.connect();
  const group = running.group.groupId;
  await client.query(`begin read only; select set_config('app.group_id', '${group}', true)`);
  const { rows } = await client.query(
    'select chunks_object as object from ingestion.document where chunks_object is not null',
  );
  await client.query('commit');
  await client.end();
  const { DirectoryObjectStore } = require('@acervo/platform-object-store');
  const objects = new DirectoryObjectStore(join(data, 'objects'));
  const texts = [];
  for (const { object } of rows)
    for (const { context, text } of JSON.parse(await objects.get({ groupId: group }, object)).chunks)
      texts.push(context === '' ? text : `${context}\n${text}`);
  return texts;
};

const bare = async (running, texts) => {
  const { Embedders } = require('@acervo/models');
  const { EmbeddingConfig } = require('@acervo/platform-service');
  const { readConfig } = require('@acervo/platform-config');
  const embedder = Embedders.from(readConfig(EmbeddingConfig, running.embedder)).target;
  await embedder.embed(['warm'], 'passage');
  const started = performance.now();
  await embedder.embed(texts, 'passage');
  return texts.length / ((performance.now() - started) / 1000);
};

const searching = (port, key) => {
  const times = [];
  let stopped = false;
  const run = async () => {
    for (const query of queries(10_000)) {
      if (stopped) return;
      const started = performance.now();
      const answer = await fetch(`http://127.0.0.1:${port}/v1/documents/search`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      });
      if (!answer.ok) throw new Error(`The search answered ${answer.status}.`);
      await answer.json();
      times.push(performance.now() - started);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  };
  const running = run();
  return {
    stop: async () => {
      stopped = true;
      await running;
      return times;
    },
  };
};

const show = (name, times) =>
  process.stdout.write(
    `search ${name.padEnd(16)} p50 ${percentile(times, 0.5).toFixed(0)} ms, p95 ${percentile(times, 0.95).toFixed(0)} ms (N ${times.length})\n`,
  );

export const run = async ({ chunks }) => {
  require('reflect-metadata');
  const { startStandalone } = require('@acervo/standalone');
  const place = mkdtempSync(join(tmpdir(), 'acervo-bench-'));
  const [folder, data] = [join(place, 'folder'), join(place, 'data')];
  corpus(folder, chunks);
  const port = 18_080 + Math.floor(Math.random() * 1_000);
  const options = {
    folder,
    sample: folder,
    data,
    port,
    processes: false,
    newKey: false,
    scanOnly: false,
    embedder: 'e5',
  };
  const environment = { administrator: 'admin@acervo.local', logLevel: 'warn', failpoint: undefined, embedder: {} };
  const running = await startStandalone(options, environment, () => undefined);
  try {
    const started = performance.now();
    const busy = searching(port, running.apiKey);
    await running.intake;
    const seconds = (performance.now() - started) / 1000;
    const whileBusy = await busy.stop();
    const texts = await passagesOf(running, data);
    const whole = texts.length / seconds;
    const alone = await bare(running, texts);
    const idle = searching(port, running.apiKey);
    await new Promise((resolve) => setTimeout(resolve, 20_000));
    const whileIdle = await idle.stop();
    process.stdout.write(
      `${texts.length} passages of ${Math.round(texts.join('').length / texts.length)} characters\n`,
    );
    process.stdout.write(`bare embedder    ${alone.toFixed(2)} passages/s\n`);
    process.stdout.write(
      `whole ingestion  ${whole.toFixed(2)} passages/s, ${(whole / alone).toFixed(2)} x (goal 0.85)\n`,
    );
    show('while ingesting', whileBusy);
    show('idle', whileIdle);
  } finally {
    await running.stop();
    rmSync(place, { recursive: true, force: true });
  }
};
