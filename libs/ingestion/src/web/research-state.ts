import type { LanguageCode } from '@acervo/analysis';
import type { FrontierChange, FrontierState } from './frontier';
import type { LostWords } from './lost-pages';
import type { SitemapsState } from './sitemap';
import type { Relevance } from './topic';

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
  readonly lost: LostWords;
  readonly requested: number;
  /** How far the sitemaps of start pages are read; absent once all of them are. */
  readonly sitemaps?: Readonly<Record<string, SitemapsState>>;
}

/** What one fetched page changes. Applied in order to the state before, steps lead to the state after. */
export interface ResearchStep extends FrontierChange {
  /** Null for an address that gave no further page. */
  readonly page: ResearchedPage | null;
  readonly text: string | null;
  readonly lost: LostWords;
}

/** A page that a person approves or rejects. */
export interface Candidate extends Pick<ResearchedPage, 'url' | 'title' | 'language' | 'excerpt' | 'depth'> {
  /** From 0 to 1. */
  readonly score: number;
  /** Terms of the topic that the page has, the most frequent ones first. */
  readonly terms: readonly string[];
}
