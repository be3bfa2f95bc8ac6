// Ingestion with e5 beside its bare server: the same passages and process settings, within one run.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { figures, load, show } from './lib/figures.mjs';
import { goal } from './lib/goals.mjs';
import { inPlace, withRunning } from './lib/installation.mjs';
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
const passagesOf = async (installation, data) => {
  const { DirectoryObjectStore } = require('@acervo/platform-object-store');
  const objects = new DirectoryObjectStore(join(data, 'objects'));
  const rows = await installation.rows(
    'ingestion',
    'select chunks_object as object from ingestion.document where group_id = $1 and chunks_object is not null',
  );
  const texts = [];
  for (const { object } of rows)
    for (const { context, text } of JSON.parse(await objects.get(installation.scope, object)).chunks)
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
  inPlace(undefined, (place) => {
    const [folder, data] = [join(place, 'folder'), join(place, 'data')];
    corpus(folder, chunks);
    return withRunning({ folder, data, embedder: 'e5', environment: process.env }, async (installation) => {
      const { running } = installation;
      const started = performance.now();
      const busy = searching(installation, unhurried);
      await running.ingested;
      const seconds = (performance.now() - started) / 1000;
      const whileBusy = figures(await busy.stop());
      const texts = await passagesOf(installation, data);
      const whole = texts.length / seconds;
      const alone = await bare(running, texts);
      const whileIdle = figures(await searching(installation, { ...unhurried, most: IDLE_SEARCHES }).done());
      print(`${texts.length} passages of ${Math.round(texts.join('').length / texts.length)} characters; ${load()}`);
      print(`bare embedder    ${alone.toFixed(2)} passages/s`);
      print(
        `whole ingestion  ${whole.toFixed(2)} passages/s, ${(whole / alone).toFixed(2)} x ${goal(0.85, whole >= 0.85 * alone)}`,
      );
      show('search while ingesting', whileBusy);
      show('search idle', whileIdle);
    });
  });
