import type { PagedFacts } from '../../reader';
import { dateOf, factOf } from '../../text-builder';

const AUTHORS = ['author', 'article:author', 'dc.creator', 'dcterms.creator', 'twitter:creator'];
const DATES = [
  'article:modified_time',
  'og:updated_time',
  'last-modified',
  'dcterms.modified',
  'dc.date.modified',
  'article:published_time',
  'dcterms.created',
  'dc.date',
  'date',
  'pubdate',
];
const LANGUAGE = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,4}$/;

const metasOf = (document: Document): ReadonlyMap<string, string> =>
  new Map(
    [...document.querySelectorAll('meta[content]')].map((meta): [string, string] => [
      (
        meta.getAttribute('name') ??
        meta.getAttribute('property') ??
        meta.getAttribute('http-equiv') ??
        ''
      ).toLowerCase(),
      meta.getAttribute('content') ?? '',
    ]),
  );

/** The metadata in the head of a page. */
export const factsOfHtml = (document: Document): Partial<PagedFacts> => {
  const metas = metasOf(document);
  const first = (names: readonly string[]): string | undefined =>
    names.map((name) => metas.get(name)).find((value) => value !== undefined && value.trim() !== '');
  const language = (document.documentElement.getAttribute('lang') ?? metas.get('content-language') ?? '').trim();
  const title = factOf(document.title) ?? factOf(metas.get('og:title'));
  const dates = DATES.map((name) => dateOf(metas.get(name)?.trim())).filter((date) => date !== null);
  return {
    ...(title === null ? {} : { title }),
    author: factOf(first(AUTHORS)),
    date: dates[0] ?? null,
    language: LANGUAGE.test(language) ? language : null,
  };
};
