import { detectLanguage, type LanguageCode, type Languages, withoutGaps } from '@acervo/analysis';
import { Parser } from 'htmlparser2';
import { canonicalAddress, registrableDomain } from './canonical-address';

export interface PageLink {
  /** Canonical. */
  readonly url: string;
  readonly text: string;
}

/** What research needs of a page; its documents are read by extraction. */
export interface PageFacts {
  readonly title: string;
  readonly language: LanguageCode | null;
  /** The address that the page names as its own, within the domain. */
  readonly canonical: string;
  readonly text: string;
  readonly links: readonly PageLink[];
  readonly mayIndex: boolean;
}

const MOST_TEXT = 20_000;
const MOST_LINKS = 500;
const UNREAD = new Set(['script', 'style', 'noscript', 'template', 'svg', 'nav', 'footer']);

/** Collects the facts of one page while its tags come. */
class FactsCollector {
  title = '';
  text = '';
  canonical: string | null = null;
  directives = '';
  base: string;
  readonly links: { href: string; text: string }[] = [];
  private unread = 0;
  private inTitle = false;
  private anchor: { href: string; text: string } | null = null;

  constructor(address: string) {
    this.base = address;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    const { href = '', rel = '', content = '' } = attributes;
    if (UNREAD.has(name)) this.unread += 1;
    if (name === 'title') this.inTitle = this.title === '';
    if (name === 'base' && URL.canParse(href, this.base)) this.base = new URL(href, this.base).href;
    if (name === 'link' && rel.toLowerCase() === 'canonical') this.canonical ??= href;
    if (name === 'meta' && attributes['name']?.toLowerCase() === 'robots') this.directives += content.toLowerCase();
    if (name === 'a' && href !== '' && !/\bnofollow\b/i.test(rel)) this.anchor = { href, text: '' };
  }

  read(text: string): void {
    if (this.inTitle) this.title += text;
    if (this.anchor !== null) this.anchor.text += text;
    if (!this.inTitle && this.unread === 0 && this.text.length < MOST_TEXT) this.text += `${text} `;
  }

  close(name: string): void {
    if (UNREAD.has(name)) this.unread = Math.max(0, this.unread - 1);
    if (name === 'title') this.inTitle = false;
    if (name !== 'a' || this.anchor === null) return;
    if (this.links.length < MOST_LINKS) this.links.push(this.anchor);
    this.anchor = null;
  }
}

const linksWithin = ({ links, base }: FactsCollector, domain: string): PageLink[] =>
  links.flatMap(({ href, text }) => {
    const url = canonicalAddress(href, base);
    return url === null || registrableDomain(url) !== domain ? [] : [{ url, text: withoutGaps(text) }];
  });

/** Reads a page of HTML, whatever is wrong with it. @param address canonical */
export const pageFacts = (html: string, address: string, languages: Languages): PageFacts => {
  const found = new FactsCollector(address);
  const parser = new Parser({
    onopentag: (name, attributes) => found.open(name, attributes),
    ontext: (text) => found.read(text),
    onclosetag: (name) => found.close(name),
  });
  parser.end(html);
  const domain = registrableDomain(address);
  const named = found.canonical === null ? null : canonicalAddress(found.canonical, found.base);
  const text = withoutGaps(found.text).slice(0, MOST_TEXT);
  return {
    title: withoutGaps(found.title).slice(0, 300),
    language: detectLanguage(text, languages),
    canonical: named !== null && registrableDomain(named) === domain ? named : address,
    text,
    links: /nofollow|none/.test(found.directives) ? [] : linksWithin(found, domain),
    mayIndex: !/noindex|none/.test(found.directives),
  };
};
