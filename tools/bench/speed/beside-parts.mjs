// Search on real engines beside its parts: the query embedding and both raw legs, through the same drivers, in turns.
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { openSearchOf } from '../lib/engines.mjs';
import { figures, timed } from '../lib/figures.mjs';
import { search } from '../lib/searching.mjs';
import { queries } from '../texts.mjs';

const require = createRequire(import.meta.url);
const retrieval = (path) => require(`../../../libs/retrieval/dist/${path}.js`);
/** Searches before the measurement: engines compile and cache frequent statements. */
const WARM_UP = 60;
const DEPTH = 200;

/** The embedder of the installation, called directly. */
export const openEmbedder = (running) => {
  const { Embedders } = require('@acervo/models');
  const { EmbeddingConfig } = require('@acervo/platform-service');
  const { readConfig } = require('@acervo/platform-config');
  return Embedders.from(readConfig(EmbeddingConfig, running.embedder)).target;
};

const openWords = (variables) => {
  const { OpenSearchEngine } = retrieval('legs/opensearch/open-search-engine');
  const { Metrics } = require('@acervo/platform-observability');
  const settings = {
    ...openSearchOf(variables),
    ...{ prefix: variables.ACERVO_OPENSEARCH_PREFIX, replicas: 0, searchTimeoutMs: 10_000 },
  };
  return new OpenSearchEngine(settings, new Metrics('bench'));
};

/** Waits until both legs contain the same number of chunks. @throws if the lexical leg does not within a minute */
export const settled = async (variables, { groupId }, chunks) => {
  const engine = openWords(variables);
  try {
    for (const end = Date.now() + 60_000; (await engine.count({ groupId })) < chunks; await pause(500))
      if (Date.now() > end) throw new Error('OpenSearch holds fewer chunks than the database.');
  } finally {
    await engine.close();
  }
};

/** Functions that call each part once. */
const openParts = async ({ variables, session, embedder }, chunks) => {
  const { queryTerms, defaultLanguages } = require('@acervo/analysis');
  const { vectorStatement } = require('@acervo/retrieval');
  const { termsClauses, visibilityClauses } = retrieval('legs/opensearch/lexical-query');
  const { MOST_EXACT } = retrieval('legs/leg-sql');
  const { visibility, under } = session;
  const engine = openWords(variables);
  const leg = { visibility, embeddingIndex: await session.liveEmbeddingIndex(), depth: DEPTH };
  return {
    embedding: (query) => embedder.embed([query], 'query'),
    lexical: (query) => {
      const clauses = termsClauses(queryTerms(query, defaultLanguages));
      return engine.search(visibility, clauses, visibilityClauses(visibility), DEPTH);
    },
    vector: (vector) => under(vectorStatement(leg, vector, chunks <= MOST_EXACT)),
    close: () => engine.close(),
  };
};

const askParts = async (parts, query) => {
  let vector;
  return {
    embedding: await timed(async () => ([vector] = await parts.embedding(query))),
    lexical: await timed(() => parts.lexical(query)),
    vector: await timed(() => parts.vector(vector)),
  };
};

/** Times of searches and of their parts on the same queries; the order alternates each round. */
export const measureBesideParts = async (context, chunks, rounds) => {
  const parts = await openParts(context, chunks);
  const whole = (query) => timed(() => search(context.installation, query));
  const times = { search: [], embedding: [], lexical: [], vector: [], parts: [] };
  for (const [index, query] of queries(rounds + WARM_UP).entries()) {
    const first = index % 2 === 0 ? await whole(query) : undefined;
    const one = await askParts(parts, query);
    const all = { ...one, search: first ?? (await whole(query)) };
    if (index < WARM_UP) continue;
    for (const [name, time] of Object.entries(all)) times[name].push(time);
    times.parts.push(one.embedding + Math.max(one.lexical, one.vector));
  }
  await parts.close();
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, figures(list)]));
};
