// The embedder beside a bare session of its runtime, its installation, and ingestion beside the embedder alone.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { withEmbedder } from './embedding/embedder.mjs';
import { bareSession } from './embedding/session.mjs';
import { figures, load, show } from './lib/figures.mjs';
import { goal } from './lib/goals.mjs';
import { inPlace, withRunning } from './lib/installation.mjs';
import { searching } from './lib/searching.mjs';
import { corpus, passages } from './texts.mjs';

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

/** Measures the embedder alone on a representative part of the texts. */
const alone = async (running, all) => {
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

const median = (values) => figures(values).p50;
const cosine = (a, b) => a.reduce((sum, value, index) => sum + value * b[index], 0);

/** The server of the embedder beside one session in this process, the same passages in turn. */
const compare = (place, rounds) =>
  withEmbedder(place, async (embedder) => {
    print(
      `installation: ${embedder.installedSeconds.toFixed(1)} s, its first answer ${embedder.readySeconds.toFixed(1)} s later`,
    );
    const texts = passages(24);
    const session = await bareSession(embedder.directory, embedder.precision);
    const [served, bare, perSecond, cosines] = [[], [], [], []];
    for (let round = 0; round < rounds; round += 1) {
      const direct = await session.embed(texts);
      bare.push(direct.cpuSeconds / (direct.tokens / 1_000));
      const answer = await embedder.embed(texts);
      served.push(answer.cpuSeconds / (direct.tokens / 1_000));
      perSecond.push(texts.length / answer.seconds);
      cosines.push(...direct.vectors.map((vector, index) => cosine(vector, answer.vectors[index])));
      if (round === 0)
        print(`${texts.length} passages of ${Math.round(direct.tokens / texts.length)} tokens, N ${rounds}; ${load()}`);
    }
    const ratio = median(served) / median(bare);
    const { own, peak } = embedder.megabytes();
    print(`bare session       ${median(bare).toFixed(3)} CPU s a 1,000 tokens (${embedder.precision}, one thread)`);
    print(
      `embedder           ${median(served).toFixed(3)} CPU s a 1,000 tokens, ${ratio.toFixed(2)} x ${goal(1.1, ratio <= 1.1)}`,
    );
    print(`passages           ${median(perSecond).toFixed(1)} a second on ${embedder.cores} cores`);
    print(
      `cosine             least ${Math.min(...cosines).toFixed(6)} with the session, ${goal(0.998, Math.min(...cosines) >= 0.998)}`,
    );
    print(
      `memory             ${own.toFixed(0)} MB, with each page counted once ${goal(350, own <= 350)}; resident at most ${peak.toFixed(0)} MB`,
    );
    show('question, idle', figures(await embedder.questions(20)));
    const busy = embedder.embed([...texts, ...texts]);
    show('question, while passages wait', figures(await embedder.questions(20)));
    await busy;
  });

const ingestion = (place, chunks) => {
  const [folder, data] = [join(place, 'folder'), join(place, 'data')];
  corpus(folder, chunks);
  const environment = { ...process.env, ACERVO_EMBEDDER_E5_DIRECTORY: join(place, 'e5') };
  return withRunning({ folder, data, embedder: 'e5', environment }, async (installation) => {
    const { running } = installation;
    const started = performance.now();
    const busy = searching(installation, unhurried);
    await running.ingested;
    const seconds = (performance.now() - started) / 1000;
    const whileBusy = figures(await busy.stop());
    const texts = await passagesOf(installation, data);
    const whole = texts.length / seconds;
    // Searches take a core from the embedder here as well.
    const beside = searching(installation, unhurried);
    const bare = await alone(running, texts);
    await beside.stop();
    const whileIdle = figures(await searching(installation, { ...unhurried, most: IDLE_SEARCHES }).done());
    print(`${texts.length} passages of ${Math.round(texts.join('').length / texts.length)} characters; ${load()}`);
    print(`embedder alone   ${bare.toFixed(2)} passages/s`);
    print(
      `whole ingestion  ${whole.toFixed(2)} passages/s, ${(whole / bare).toFixed(2)} x ${goal(0.85, whole >= 0.85 * bare)}`,
    );
    show('search while ingesting', whileBusy);
    show('search idle', whileIdle);
  });
};

export const run = ({ chunks, rounds, only }) =>
  inPlace(undefined, async (place) => {
    const isAsked = (part) => only === undefined || only.includes(part);
    if (isAsked('embedder')) await compare(place, rounds);
    if (isAsked('ingestion')) await ingestion(place, chunks);
  });
