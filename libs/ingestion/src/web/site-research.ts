import { createHash } from 'node:crypto';
import type { LanguageCode, Languages } from '@acervo/analysis';
import { EgressBusy, EgressFailure, type Page } from '@acervo/platform-egress';
import { canonicalAddress, registrableDomain } from './canonical-address';
import { Frontier, type FrontierState, type KnownPage } from './frontier';
import { LostPages } from './lost-pages';
import { pageFacts, type PageFacts } from './page-facts';
import { scoresOf } from './ranking';
import type { SiteClient } from './site-client';
import { sitemapPages } from './sitemap';
import type { Relevance, Topic } from './topic';

/** A page that research read. Its text is not kept. */
export interface ResearchedPage {
  readonly url: string;
  readonly title: string;
  readonly language: LanguageCode | null;
  readonly excerpt: string;
  readonly depth: number;
  readonly relevance: Relevance;
}

/** What a run keeps between two leases, so that it continues where it stopped. */
export interface ResearchState {
  readonly frontier: FrontierState;
  readonly pages: readonly ResearchedPage[];
  /** Hashes of texts: the same text under a second address is no second page. */
  readonly texts: readonly string[];
  readonly lost: Readonly<Record<string, readonly string[]>>;
  readonly requested: number;
}

/** A page that a person approves or rejects. */
export interface Candidate extends Pick<ResearchedPage, 'url' | 'title' | 'language' | 'excerpt' | 'depth'> {
  /** From 0 to 1. */
  readonly score: number;
  /** Terms of the topic that the page has, the most frequent ones first. */
  readonly terms: readonly string[];
}

export interface ResearchQuestion {
  readonly group: string;
  readonly startUrls: readonly string[];
  readonly topic: Topic;
  readonly languages: Languages;
  readonly signal?: AbortSignal;
}

const HTML = ['text/html', 'application/xhtml+xml'];
const MOST_PAGES = 500;
const MOST_TERMS = 8;
/** What a page must promise so that pages of its form go on being fetched. */
const FRUITFUL = 0.15;
/** Share of the page with a link in what the link promises; the rest is its words. */
const PARENT_SHARE = 0.5;
/** Files that are no pages. */
const NO_PAGE = /\.(?:avif|bmp|css|eot|gif|gz|ico|jpe?g|js|json|m4a|mov|mp[34]|ogg|png|svg|ttf|webm|webp|woff2?|zip)$/i;

const EMPTY: ResearchState = {
  frontier: { waiting: [], seen: [], barren: {} },
  ...{ pages: [], texts: [], lost: {}, requested: 0 },
};

const hashOf = (text: string): string =>
  createHash('sha256')
    .update((text.toLowerCase().match(/\p{L}+/gu) ?? []).join(' '))
    .digest('base64url');

/** Finds pages of a site about a topic: from start pages and sitemaps along links, within one registrable domain. */
export class SiteResearch {
  private readonly frontier: Frontier;
  private readonly pages: ResearchedPage[];
  private readonly texts: Set<string>;
  private readonly lost: LostPages;
  private readonly domains: ReadonlySet<string>;
  private requested: number;

  constructor(
    private readonly client: SiteClient,
    private readonly question: ResearchQuestion,
    state: ResearchState = EMPTY,
  ) {
    this.frontier = new Frontier(state.frontier);
    this.pages = [...state.pages];
    this.texts = new Set(state.texts);
    this.lost = new LostPages(client, question.group, state.lost);
    this.requested = state.requested;
    this.domains = new Set(question.startUrls.map(registrableDomain));
  }

  get state(): ResearchState {
    return {
      ...{ frontier: this.frontier.state, pages: this.pages, texts: [...this.texts] },
      ...{ lost: this.lost.state, requested: this.requested },
    };
  }

  /** Puts the start pages and those of the sitemaps in front. */
  async begin(): Promise<void> {
    const starts = this.question.startUrls.flatMap((url) => canonicalAddress(url) ?? []);
    for (const url of starts) this.frontier.add({ url, depth: 0, promise: 1 });
    for (const url of starts)
      for (const page of await sitemapPages(this.client, this.question.group, url)) this.know(page, '', 1, 0);
  }

  /**
   * Fetches the next page. False when there is none, or enough were read.
   * @throws EgressBusy when it has to continue later; the page waits
   */
  async step(): Promise<boolean> {
    if (this.requested >= MOST_PAGES) return false;
    const knownPage = this.frontier.next();
    if (knownPage === undefined) return false;
    this.requested += 1;
    try {
      await this.read(knownPage);
    } catch (error) {
      if (error instanceof EgressBusy) {
        this.requested -= 1;
        this.frontier.putBack(knownPage);
      }
      if (error instanceof EgressBusy || !(error instanceof EgressFailure)) throw error;
      this.frontier.fetched(knownPage.url, false);
    }
    return true;
  }

  /** Pages by score, those with anything of the topic alone. */
  candidates(): Candidate[] {
    const scores = scoresOf(this.pages.map(({ relevance }) => relevance));
    return this.pages
      .map(({ relevance: { counts }, ...page }, index) => ({
        ...{ url: page.url, title: page.title, language: page.language, excerpt: page.excerpt, depth: page.depth },
        score: scores[index] ?? 0,
        terms: Object.keys(counts)
          .toSorted((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0))
          .slice(0, MOST_TERMS),
      }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score);
  }

  private async read(knownPage: KnownPage): Promise<void> {
    const { group, signal } = this.question;
    const page = await this.client.fetch(group, {
      ...{ url: knownPage.url, types: HTML },
      ...(signal === undefined ? {} : { signal }),
    });
    const facts = page.status === 200 ? this.factsOf(knownPage, page) : null;
    if (facts === null || (await this.lost.isLost(knownPage.url, facts.text)))
      return this.frontier.fetched(knownPage.url, false);
    const promise = await this.keep(knownPage, facts);
    this.frontier.fetched(knownPage.url, promise >= FRUITFUL);
    for (const link of facts.links) this.know(link.url, link.text, knownPage.depth + 1, promise);
  }

  /** Null for a page that is read already, under this or another address, or that left the domain. */
  private factsOf(knownPage: KnownPage, page: Page): PageFacts | null {
    const address = canonicalAddress(page.url);
    if (address === null || !this.domains.has(registrableDomain(address))) return null;
    if (address !== knownPage.url && !this.frontier.isNew(address)) return null;
    const facts = pageFacts(page.body.toString('utf8'), address, this.question.languages);
    if (facts.canonical !== address && facts.canonical !== knownPage.url && !this.frontier.isNew(facts.canonical))
      return null;
    const hash = hashOf(`${facts.title} ${facts.text}`);
    if (this.texts.has(hash)) return null;
    this.texts.add(hash);
    return facts;
  }

  /** What the page promises for those that it links. */
  private async keep({ depth }: KnownPage, facts: PageFacts): Promise<number> {
    const { topic } = this.question;
    const relevance = await topic.relevanceOf(facts);
    const { canonical: url, title, language } = facts;
    if (facts.mayIndex) this.pages.push({ url, title, language, depth, relevance, excerpt: topic.excerptOf(facts) });
    return topic.promiseOf(relevance);
  }

  private know(url: string, words: string, depth: number, parent: number): void {
    const address = canonicalAddress(url);
    if (address === null || !this.domains.has(registrableDomain(address))) return;
    const { pathname } = new URL(address);
    if (NO_PAGE.test(pathname)) return;
    const hint = this.question.topic.hintOf(`${words} ${pathname.replace(/[/_.-]/g, ' ')}`);
    this.frontier.add({ url: address, depth, promise: PARENT_SHARE * parent + (1 - PARENT_SHARE) * hint });
  }
}
