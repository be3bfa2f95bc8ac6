// Research of a site on this machine: pages of one judged query among those of other collections, with traps.
import { createRequire } from 'node:module';
import { withEmbedder } from './embedding/embedder.mjs';
import { goal } from './lib/goals.mjs';
import { inPlace } from './lib/installation.mjs';
import { RELEVANT, sitesIn } from './web/sites.mjs';

const require = createRequire(import.meta.url);
const print = (line) => process.stdout.write(`${line}\n`);
const SEEDS = [1, 2, 3];
const [FIRST, LEAST] = [40, 27];
const ingestion = (name) => require(`../../libs/ingestion/dist/web/${name}.js`);

const research = async ({ topic, texts }, seed, embedder) => {
  const { LinkedSite, WebSite } = require('@acervo/platform-testing');
  const { Egress, EgressConfig } = require('@acervo/platform-egress');
  const { MemoryRates } = require('@acervo/platform-counters');
  const { readConfig } = require('@acervo/platform-config');
  const { defaultLanguages: languages } = require('@acervo/analysis');
  const site = await WebSite.open();
  const linked = new LinkedSite(texts, seed);
  linked.serve(site);
  try {
    const egress = new Egress(readConfig(EgressConfig, site.environment), new MemoryRates());
    const about = await ingestion('topic').Topic.of(topic, embedder, languages);
    const question = { group: 'bench', startUrls: [site.url('/')], topic: about, languages };
    const asking = new (ingestion('site-research').SiteResearch)(egress, question);
    await asking.begin();
    while ((await asking.step()) !== null);
    const relevant = new Set(texts.slice(0, RELEVANT).map((_, index) => linked.pathOf(index)));
    const isFound = (path) => relevant.has(path.replace('/print/', '/page/'));
    const found = asking
      .candidates()
      .slice(0, FIRST)
      .filter(({ url }) => isFound(new URL(url).pathname)).length;
    const forbidden = site.requests.filter(({ path }) => linked.isForbidden(path)).length;
    const early = site.requests.slice(0, 100).filter(({ path }) => isFound(path)).length;
    return { found, forbidden, early, requests: site.requests.length };
  } finally {
    await site.close();
  }
};

const show = (values, key) =>
  values
    .map((value) => value[key])
    .join(' / ')
    .padStart(16);

const measure = async (embedder, { data, collections }) => {
  const { model } = embedder.embeddingModel;
  print(`${model}: relevant pages of ${RELEVANT} among ${FIRST} candidates; in the first 100 requests; requests`);
  const bySeed = SEEDS.map((seed) => sitesIn(data, collections, seed));
  for (const [index, { name }] of bySeed[0].entries()) {
    const runs = [];
    for (const [at, seed] of SEEDS.entries()) runs.push(await research(bySeed[at][index], seed, embedder));
    const isKept = runs.every(({ found, forbidden }) => found >= LEAST && forbidden === 0);
    print(
      `${name.padEnd(16)} ${['found', 'early', 'requests'].map((key) => show(runs, key)).join('')}  ${goal(LEAST, isKept)}`,
    );
  }
};

export const run = async ({ data, collections, embedder }) => {
  if (data === undefined) throw new Error('Give --data DIR with judged collections.');
  require('reflect-metadata');
  const { HashingEmbedder } = require('@acervo/models');
  if (embedder !== 'e5') await measure(new HashingEmbedder(), { data, collections });
  if (embedder !== 'hashing')
    await inPlace(undefined, (place) => withEmbedder(place, ({ client }) => measure(client, { data, collections })));
};
