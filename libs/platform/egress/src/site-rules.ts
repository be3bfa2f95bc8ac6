import robotsParser from 'robots-parser';
import type { Reply } from './exchange';
import { AddressRefused, AnswerRefused, SiteUnavailable, TooManyRedirects } from './egress.errors';
import { robotsTextFor } from './robots-text';

/** The name by which `robots.txt` addresses this client. */
export const PRODUCT_TOKEN = 'Acervo';

/** What a site asks of those who fetch its pages. */
export interface SiteRules {
  allows(url: URL): boolean;
  /** Seconds between two requests; 0 where the site names none. */
  readonly spacingSeconds: number;
  /** Addresses of its sitemaps, as it gives them. */
  readonly sitemaps: readonly string[];
}

/** A longer delay would keep a host busy for all groups. */
const MOST_SPACING_SECONDS = 30;
const TOO_MANY_REQUESTS = 429;

/** A site without rules. */
const OPEN: SiteRules = { allows: () => true, spacingSeconds: 0, sitemaps: [] };

const rulesIn = (url: URL, text: string): SiteRules => {
  const robots = robotsParser(url.href, robotsTextFor(PRODUCT_TOKEN, text));
  const delay = robots.getCrawlDelay(PRODUCT_TOKEN) ?? 0;
  return {
    allows: (page) => robots.isAllowed(page.href, PRODUCT_TOKEN) !== false,
    spacingSeconds: Math.min(MOST_SPACING_SECONDS, Math.max(0, Number.isFinite(delay) ? delay : 0)),
    sitemaps: robots.getSitemaps(),
  };
};

/**
 * The rules of a site by its answer to `robots.txt` (RFC 9309): without the file everything is allowed, while the site
 * fails nothing is.
 * @throws SiteUnavailable
 */
export const siteRulesOf = (url: URL, { status, body }: Reply): SiteRules => {
  if (status === 200) return rulesIn(url, body.toString('utf8'));
  if (status >= 500 || status === TOO_MANY_REQUESTS) throw new SiteUnavailable('ROBOTS');
  return OPEN;
};

/**
 * The rules of a site whose `robots.txt` was not read. A chain of redirects that ends nowhere leads to no file (RFC
 * 9309); other failures say nothing about the page.
 * @throws EgressFailure
 */
export const siteRulesWithout = (failure: unknown): SiteRules => {
  if (failure instanceof TooManyRedirects || failure instanceof AddressRefused) return OPEN;
  throw failure instanceof AnswerRefused ? new SiteUnavailable('ROBOTS') : failure;
};
