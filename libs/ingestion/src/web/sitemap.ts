import { EgressBusy, EgressFailure } from '@acervo/platform-egress';
import { Parser } from 'htmlparser2';
import type { SiteAsker, SiteClient } from './site-client';

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

/** How far the sitemaps of a site are read. */
export interface SitemapsState {
  /** Addresses of sitemaps, those that are read first. */
  readonly urls: readonly string[];
  readonly read: number;
  /** Pages that were listed. */
  readonly listed: number;
}

/** Reads the sitemaps of the site of a start page, one after the other. One that cannot be read lists no page. */
export class Sitemaps {
  private constructor(
    private readonly client: SiteClient,
    private readonly asker: SiteAsker,
    private current: SitemapsState,
  ) {}

  /** @throws EgressBusy */
  static async of(client: SiteClient, asker: SiteAsker, start: string): Promise<Sitemaps> {
    const named = (await unlessRefused(() => client.sitemapsOf(asker.group, start))) ?? [];
    const urls = [...new Set([...named, new URL('/sitemap.xml', start).href])];
    return new Sitemaps(client, asker, { urls, read: 0, listed: 0 });
  }

  static from(client: SiteClient, asker: SiteAsker, state: SitemapsState): Sitemaps {
    return new Sitemaps(client, asker, state);
  }

  get state(): SitemapsState {
    return this.current;
  }

  /** The pages of the next sitemap; null when none is left, or enough were read. @throws EgressBusy; nothing has changed */
  async next(): Promise<readonly string[] | null> {
    const { urls, read, listed } = this.current;
    const url = urls[read];
    if (url === undefined || read >= MOST_SITEMAPS || listed >= MOST_ENTRIES) return null;
    const body = await unlessRefused(() => this.client.fetch(this.asker.group, { url, types: XML, ...this.signal }));
    const sitemap = readSitemap(body?.status === 200 ? body.body.toString('utf8') : '');
    const pages = sitemap.pages.slice(0, MOST_ENTRIES - listed);
    this.current = {
      urls: [...new Set([...urls, ...sitemap.sitemaps])].slice(0, MOST_SITEMAPS),
      read: read + 1,
      listed: listed + pages.length,
    };
    return pages;
  }

  private get signal(): Pick<SiteAsker, 'signal'> {
    const { signal } = this.asker;
    return signal === undefined ? {} : { signal };
  }
}

const unlessRefused = async <T>(work: () => Promise<T>): Promise<T | null> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EgressFailure && !(error instanceof EgressBusy)) return null;
    throw error;
  }
};
