// Types and features of documents: accuracy on judged collections, features of generated documents, rate of rules.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root, UsageError } from '../lib/options.mjs';
import { benchAccuracy } from './classification/accuracy.mjs';
import { benchFeatures } from './classification/features.mjs';
import { benchRate } from './classification/rate.mjs';
import { withEmbedder } from './embedding/embedder.mjs';
import { inPlace } from './lib/installation.mjs';

const require = createRequire(import.meta.url);
const compiled = (name) => require(join(root, 'libs', 'ingestion', 'dist', 'classification', `${name}.js`));
const GENERATED = 200;
const BATCH = 16;

const inBatches = async (embedder, texts) => {
  const vectors = [];
  for (let from = 0; from < texts.length; from += BATCH) {
    const answer = await embedder.embed(texts.slice(from, from + BATCH), 'passage');
    vectors.push(...(answer.vectors ?? answer));
  }
  return vectors;
};
const named = (name, wanted, embedder, floor) => ({
  ...{ name, wanted },
  embedder: { floor, embed: (texts) => inBatches(embedder, texts) },
});

const accuracy = (data, keep) => {
  const { E5, HashingEmbedder } = require('@acervo/models');
  const code = { ...compiled('classifier'), ...compiled('similarity/example-profile') };
  const hashing = new HashingEmbedder();
  return inPlace(keep, (place) =>
    withEmbedder(place, (e5) =>
      benchAccuracy(code, data, [
        named('e5', 0.9, e5, E5.floor),
        named('hashing', 0.85, hashing, hashing.embeddingModel.floor),
        { name: 'without an embedder', wanted: 0.85, embedder: null },
      ]),
    ),
  );
};

export const run = async ({ data, keep, only, seed }) => {
  const isAsked = (part) => only === undefined || only.split(',').includes(part);
  const { Classifier } = compiled('classifier');
  if (isAsked('accuracy') && data === undefined) throw new UsageError('The accuracy needs --data DIR.');
  if (isAsked('features')) benchFeatures(Classifier, seed, GENERATED);
  if (isAsked('rate')) benchRate(Classifier);
  if (isAsked('accuracy')) await accuracy(data, keep);
};
