import { EgressBusy, EgressFailure } from '@acervo/platform-egress';
import { Parser } from 'htmlparser2';
import type { SiteClient } from './site-client';

/** What a sitemap lists: pages, and further sitemaps. */
export interface Sitemap {
  readonly pages: readonly string[];
  readonly sitemaps: readonly string[];
}

const MOST_ENTRIES = 5_000;

/** Reads the XML of a sitemap or of an index of sitemaps. No entity is resolved. */
export const readSitemap = (xml: string): Sitemap => {
  const lists = { url: [] as string[], sitemap: [] as string[] };
  let list: string[] | null = null;
  let place: string | null = null;
  const parser = new Parser(
    {
      onopentagname: (name) => {
        if (name === 'url' || name === 'sitemap') list = lists[name];
        if (name === 'loc') place = '';
      },
      ontext: (text) => {
        if (place !== null) place += text;
      },
      onclosetag: (name) => {
        if (name !== 'loc' || place === null) return;
        if (list !== null && list.length < MOST_ENTRIES) list.push(place.trim());
        place = null;
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return { pages: lists.url, sitemaps: lists.sitemap };
};

const XML = ['application/xml', 'text/xml'];
const MOST_SITEMAPS = 20;

/** The pages that the sitemaps of a site list. A sitemap that cannot be read lists none. @throws EgressBusy */
export const sitemapPages = async (client: SiteClient, group: string, start: string): Promise<string[]> => {
  const waiting = new Set([...(await named(client, group, start)), new URL('/sitemap.xml', start).href]);
  const pages: string[] = [];
  let read = 0;
  // The set grows while it is walked: an index adds its sitemaps.
  for (const url of waiting) {
    if ((read += 1) > MOST_SITEMAPS || pages.length >= MOST_ENTRIES) break;
    const body = await unlessRefused(() => client.fetch(group, { url, types: XML }));
    const sitemap = readSitemap(body?.status === 200 ? body.body.toString('utf8') : '');
    pages.push(...sitemap.pages);
    for (const further of sitemap.sitemaps) waiting.add(further);
  }
  return pages.slice(0, MOST_ENTRIES);
};

const named = async (client: SiteClient, group: string, start: string): Promise<readonly string[]> =>
  (await unlessRefused(() => client.sitemapsOf(group, start))) ?? [];

const unlessRefused = async <T>(work: () => Promise<T>): Promise<T | null> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EgressFailure && !(error instanceof EgressBusy)) return null;
    throw error;
  }
};
