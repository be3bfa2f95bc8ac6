// Search through /v1 beside its parts: the query embedding and both raw legs, in turn, within one run.
import { createRequire } from 'node:module';
import { figures, show, timed } from '../lib/figures.mjs';
import { goal } from '../lib/goals.mjs';
import { search } from '../lib/searching.mjs';
import { openGroupSession } from './group-session.mjs';

const require = createRequire(import.meta.url);

/** Searches and their parts, in turn. */
export const measureLegs = async ({ installation, rounds, asked, embedder: embedderName }) => {
  const { queryTerms, defaultLanguages } = require('@acervo/analysis');
  const { Embedders } = require('@acervo/models');
  const { EmbeddingConfig } = require('@acervo/platform-service');
  const { readConfig } = require('@acervo/platform-config');
  const { lexicalStatement, vectorStatement } = require('@acervo/retrieval');
  const embedder = Embedders.from(readConfig(EmbeddingConfig, installation.running.embedder)).target;
  const { under, liveEmbeddingIndex, visibility, close } = await openGroupSession(installation.running);
  const leg = { visibility, embeddingIndex: await liveEmbeddingIndex(), depth: 200 };
  const times = { search: [], embedding: [], lexical: [], vector: [], parts: [] };
  for (const [index, query] of asked(rounds + 20).entries()) {
    let vector;
    const one = {
      search: await timed(() => search(installation, query)),
      embedding: await timed(async () => ([vector] = await embedder.embed([query], 'query'))),
      lexical: await timed(() => under(lexicalStatement(leg, queryTerms(query, defaultLanguages)))),
      vector: await timed(() => under(vectorStatement(leg, vector, true))),
    };
    if (index < 20) continue;
    for (const [name, time] of Object.entries(one)) times[name].push(time);
    times.parts.push(one.embedding + one.lexical + one.vector);
  }
  await close();
  for (const [name, list] of Object.entries(times))
    show(name === 'parts' ? 'embedding + both raw legs' : name, figures(list));
  const [whole, parts] = [figures(times.search), figures(times.parts)];
  const most = { p50: embedderName === 'hashing' ? 1.5 : 1.3, p95: 2.5 };
  const ratio = (of) => whole[of] / parts[of];
  const each = ['p50', 'p95'].map((of) => `${of} ${ratio(of).toFixed(2)} x ${goal(most[of], ratio(of) <= most[of])}`);
  const lexical = figures(times.lexical).p50;
  process.stdout.write(`\nsearch / parts: ${each.join(', ')}\n`);
  process.stdout.write(`lexical leg at depth 200: p50 ${lexical.toFixed(2)} ms ${goal(5, lexical <= 5)}\n`);
};
