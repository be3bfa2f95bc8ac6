import { createHash } from 'node:crypto';
import type { Languages } from '@acervo/analysis';
import { EgressBusy, EgressFailure, type Page } from '@acervo/platform-egress';
import { canonicalAddress, registrableDomain } from './canonical-address';
import { Frontier, type KnownPage } from './frontier';
import { LostPages } from './lost-pages';
import { pageFacts, type PageFacts } from './page-facts';
import { scoresOf } from './ranking';
import type { Candidate, ResearchedPage, ResearchState, ResearchStep } from './research-state';
import type { SiteAsker, SiteClient } from './site-client';
import { Sitemaps, type SitemapsState } from './sitemap';
import type { Topic } from './topic';

export interface ResearchQuestion extends SiteAsker {
  readonly startUrls: readonly string[];
  readonly topic: Topic;
  readonly languages: Languages;
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
  ...{ pages: [], texts: [], lost: {}, requested: 0, sitemaps: {} },
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
  private readCount: number;
  /** By start page; null once all of them are read. */
  private sitemaps: Map<string, SitemapsState> | null;

  constructor(
    private readonly client: SiteClient,
    private readonly question: ResearchQuestion,
    state: ResearchState = EMPTY,
  ) {
    this.frontier = new Frontier(state.frontier);
    this.pages = [...state.pages];
    this.texts = new Set(state.texts);
    this.lost = new LostPages(client, question, state.lost);
    this.readCount = state.requested;
    this.sitemaps = state.sitemaps === undefined ? null : new Map(Object.entries(state.sitemaps));
    this.domains = new Set(question.startUrls.map(registrableDomain));
  }

  /** Whether the start pages and the sitemaps are read. */
  get hasBegun(): boolean {
    return this.sitemaps === null;
  }

  /** Pages that were asked for. */
  get requested(): number {
    return this.readCount;
  }

  get state(): ResearchState {
    return {
      ...{ frontier: this.frontier.state, pages: this.pages, texts: [...this.texts] },
      ...{ lost: this.lost.state, requested: this.readCount },
      ...(this.sitemaps === null ? {} : { sitemaps: Object.fromEntries(this.sitemaps) }),
    };
  }

  /**
   * Puts the start pages and those of the sitemaps in front. It goes on with the sitemap that a call before left.
   * @throws EgressBusy when it has to continue later; the state has what was found
   */
  async begin(): Promise<void> {
    if (this.sitemaps === null) return;
    const starts = this.question.startUrls.flatMap((url) => canonicalAddress(url) ?? []);
    for (const url of starts) this.frontier.add({ url, depth: 0, promise: 1 });
    for (const url of starts) await this.readSitemaps(url, this.sitemaps);
    this.sitemaps = null;
  }

  /**
   * Fetches the next page, and answers what it changed; null when there is none, or enough were read.
   * @throws EgressBusy when it has to continue later; nothing has changed
   */
  async step(): Promise<ResearchStep | null> {
    const knownPage = this.requested < MOST_PAGES ? this.frontier.next() : undefined;
    if (knownPage === undefined) return null;
    const step = await this.read(knownPage);
    this.apply(step);
    return step;
  }

  /** Repeats a step that was stored. */
  apply({ page, text, lost, ...change }: ResearchStep): void {
    this.readCount += 1;
    this.frontier.apply(change);
    if (page !== null) this.pages.push(page);
    if (text !== null) this.texts.add(text);
    this.lost.remember(lost);
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

  private async readSitemaps(start: string, states: Map<string, SitemapsState>): Promise<void> {
    const { client, question } = this;
    const state = states.get(start);
    const sitemaps =
      state === undefined ? await Sitemaps.of(client, question, start) : Sitemaps.from(client, question, state);
    for (let pages = await sitemaps.next(); pages !== null; pages = await sitemaps.next()) {
      for (const page of pages) {
        const knownPage = this.knownPage(page, '', 1, 0);
        if (knownPage !== null) this.frontier.add(knownPage);
      }
      states.set(start, sitemaps.state);
    }
  }

  private async read(knownPage: KnownPage): Promise<ResearchStep> {
    try {
      const page = await this.fetch(knownPage.url);
      return await this.stepOf(knownPage, page);
    } catch (error) {
      if (error instanceof EgressBusy || !(error instanceof EgressFailure)) throw error;
      return without(knownPage);
    }
  }

  private fetch(url: string): Promise<Page> {
    const { group, signal } = this.question;
    return this.client.fetch(group, { ...{ url, types: HTML }, ...(signal === undefined ? {} : { signal }) });
  }

  private async stepOf(knownPage: KnownPage, page: Page): Promise<ResearchStep> {
    const address = canonicalAddress(page.url);
    const isElsewhere = address === null || !this.domains.has(registrableDomain(address));
    if (page.status !== 200 || isElsewhere) return without(knownPage);
    const facts = pageFacts(page.body.toString('utf8'), address, this.question.languages);
    const seen = [...new Set([address, facts.canonical])].filter((url) => url !== knownPage.url);
    const text = hashOf(`${facts.title} ${facts.text}`);
    // It is read already, under another address.
    if (seen.some((url) => !this.frontier.isNew(url)) || this.texts.has(text)) return { ...without(knownPage), seen };
    const lost = await this.lost.learn(knownPage.url);
    if (this.lost.isLost(knownPage.url, facts.text, lost)) return { ...without(knownPage), seen, text, lost };
    return { ...(await this.relevant(knownPage, facts)), url: knownPage.url, seen, text, lost };
  }

  private async relevant(
    { depth }: KnownPage,
    facts: PageFacts,
  ): Promise<Pick<ResearchStep, 'page' | 'had' | 'linked'>> {
    const { topic } = this.question;
    const relevance = await topic.relevanceOf(facts);
    const { canonical: url, title, language } = facts;
    const promise = topic.promiseOf(relevance);
    return {
      page: facts.mayIndex ? { url, title, language, depth, relevance, excerpt: topic.excerptOf(facts) } : null,
      had: promise >= FRUITFUL ? 'topic' : 'text',
      linked: facts.links.flatMap((link) => this.knownPage(link.url, link.text, depth + 1, promise) ?? []),
    };
  }

  /** Null for what is known, no page, or of another domain. */
  private knownPage(url: string, words: string, depth: number, parent: number): KnownPage | null {
    const address = canonicalAddress(url);
    if (address === null || !this.frontier.isNew(address) || !this.domains.has(registrableDomain(address))) return null;
    const { pathname } = new URL(address);
    if (NO_PAGE.test(pathname)) return null;
    const hint = this.question.topic.hintOf(`${words} ${pathname.replace(/[/_.-]/g, ' ')}`);
    return { url: address, depth, promise: PARENT_SHARE * parent + (1 - PARENT_SHARE) * hint };
  }
}

/** A page that led to nothing. */
const without = ({ url }: KnownPage): ResearchStep => ({
  ...{ url, had: 'nothing', seen: [], linked: [] },
  ...{ page: null, text: null, lost: {} },
});
