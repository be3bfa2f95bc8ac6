// Sites of judged collections: pages of one collection about a query, among pages of the others.
import { numbers } from '../texts.mjs';
import { sample } from '../classification/random.mjs';
import { collectionsIn, readCollection } from '../lib/collections.mjs';

export const RELEVANT = 30;
const OTHERS = 170;
/** Share of the other pages that are in Spanish. */
const SPANISH = 70;
/** Queries of one collection, those with the most pages first. */
const MOST_QUERIES = 3;
/** Collections about the same field. */
const RELATED = { adi: ['cisi'], cisi: ['adi'], 'xquad-r-en': ['xquad-r-es'], 'xquad-r-es': ['xquad-r-en'] };
/** A shorter text is no page. */
const LEAST_CHARACTERS = 40;

const pagesOf = ({ records }) => records.filter(({ text }) => text.length >= LEAST_CHARACTERS);

const othersOf = (collections, { name }, random) => {
  const foreign = collections.filter((each) => each.name !== name && !(RELATED[name] ?? []).includes(each.name));
  const spanish = foreign.filter((each) => each.name.endsWith('-es')).flatMap(pagesOf);
  const english = foreign.filter((each) => !each.name.endsWith('-es')).map(pagesOf);
  const chosen = sample(random, spanish, SPANISH);
  const share = Math.ceil((OTHERS - chosen.length) / english.length);
  return [...chosen, ...english.flatMap((records) => sample(random, records, share))].slice(0, OTHERS);
};

/** The queries of all collections that have enough relevant pages. */
const topicsOf = (collection) =>
  collection.queries
    .map(({ id, text, judged }) => ({
      ...{ collection, id, text },
      relevant: pagesOf(collection).filter(({ _id }) => (judged.get(_id) ?? 0) > 0),
    }))
    .filter(({ relevant }) => relevant.length >= RELEVANT)
    .sort((a, b) => b.relevant.length - a.relevant.length)
    .slice(0, MOST_QUERIES);

/** Topics with their sites: the relevant pages come first among the texts of a site. */
export const sitesIn = (data, names, seed) => {
  const collections = collectionsIn(data).map((name) => readCollection(data, name));
  return collections
    .filter(({ name }) => names === undefined || names.split(',').includes(name))
    .flatMap(topicsOf)
    .map(({ collection, id, text, relevant }) => {
      const random = numbers(seed);
      const texts = [...sample(random, relevant, RELEVANT), ...othersOf(collections, collection, random)];
      return { name: `${collection.name} ${id}`, topic: text, texts };
    });
};
