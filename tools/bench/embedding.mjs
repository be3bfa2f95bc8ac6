// Ingestion with e5 beside its bare server: the same passages and process settings, within one run.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { figures, load, show } from './lib/figures.mjs';
import { goal } from './lib/goals.mjs';
import { inPlace } from './lib/installation.mjs';
import { searching } from './lib/searching.mjs';
import { corpus } from './texts.mjs';

const require = createRequire(import.meta.url);
const print = (text) => process.stdout.write(`${text}\n`);
/** A user who reads the results before the next search. */
const unhurried = { betweenMs: 1_000 };
const IDLE_SEARCHES = 20;
/** Most passages for the measurement of the bare embedder. */
const MOST_BARE = 200;

/** The texts that ingestion embedded, from its object store. */
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

/** Measures the bare embedder on a representative part of the texts. */
const bare = async (running, all) => {
  const texts = all.filter((_text, index) => index % Math.ceil(all.length / MOST_BARE) === 0);
  const { Embedders } = require('@acervo/models');
  const { EmbeddingConfig } = require('@acervo/platform-service');
  const { readConfig } = require('@acervo/platform-config');
  const embedder = Embedders.from(readConfig(EmbeddingConfig, running.embedder)).target;
  await embedder.embed(['warm'], 'passage');
  const started = performance.now();
  await embedder.embed(texts, 'passage');
  return texts.length / ((performance.now() - started) / 1000);
};

export const run = ({ chunks }) =>
  inPlace(undefined, async (place) => {
    require('reflect-metadata');
    const { startEnvironment, startStandalone } = require('@acervo/standalone');
    const [folder, data] = [join(place, 'folder'), join(place, 'data')];
    corpus(folder, chunks);
    const port = 18_080 + Math.floor(Math.random() * 1_000);
    const options = { folder, sample: folder, data, port, processes: false, scanOnly: false };
    const environment = startEnvironment({ ACERVO_LOG_LEVEL: 'warn', ...process.env });
    const running = await startStandalone({ ...options, embedder: 'e5' }, environment, () => undefined);
    try {
      const where = { port, key: running.apiKey };
      const started = performance.now();
      const busy = searching(where, unhurried);
      await running.ingested;
      const seconds = (performance.now() - started) / 1000;
      const whileBusy = figures(await busy.stop());
      const texts = await passagesOf(running, data);
      const whole = texts.length / seconds;
      const alone = await bare(running, texts);
      const whileIdle = figures(await searching(where, { ...unhurried, most: IDLE_SEARCHES }).done());
      print(`${texts.length} passages of ${Math.round(texts.join('').length / texts.length)} characters; ${load()}`);
      print(`bare embedder    ${alone.toFixed(2)} passages/s`);
      print(
        `whole ingestion  ${whole.toFixed(2)} passages/s, ${(whole / alone).toFixed(2)} x ${goal(0.85, whole >= 0.85 * alone)}`,
      );
      show('search while ingesting', whileBusy);
      show('search idle', whileIdle);
    } finally {
      await running.stop();
    }
  });
