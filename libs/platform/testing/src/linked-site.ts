import { htmlPage, type SitePage, type WebSite } from './web-site';

/** A text that becomes a page. */
export interface SiteText {
  readonly title: string;
  readonly text: string;
}

const MOST_CHILDREN = 8;
const MORE_LINKS = 3;
const TITLE_WORDS = 8;
const LOST = htmlPage(
  'Sorry',
  'We could not find what you asked for. It may have moved. Please use the search or start again.',
);

/** Reproducible numbers from 0 to 1 (mulberry32). */
const numbersOf = (seed: number): (() => number) => {
  let state = Math.imul(seed, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const titleOf = ({ title, text }: SiteText): string => title || text.split(' ').slice(0, TITLE_WORDS).join(' ');

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

/**
 * A site of texts, linked at random from its home page on. Each page also links what sites trap crawlers with: itself
 * for print, addresses with sessions, a calendar without end, closed pages, and absent ones that answer 200.
 */
export class LinkedSite {
  private readonly links: readonly (readonly number[])[];
  private readonly fromHome: readonly number[];
  private readonly order: ReadonlyMap<number, number>;

  /** @param seed draws the order of the texts and the links */
  constructor(
    private readonly texts: readonly SiteText[],
    seed: number,
  ) {
    const random = numbersOf(seed);
    const below = (most: number): number => Math.floor(random() * most);
    const drawn = texts.map((_, index) => ({ index, place: random() })).toSorted((a, b) => a.place - b.place);
    const places = drawn.map(({ index }) => index);
    this.order = new Map(places.map((index, place) => [index, place + 1]));
    const links: number[][] = texts.map(() => []);
    this.fromHome = places.slice(0, MOST_CHILDREN);
    for (let place = MOST_CHILDREN; place < places.length; place += 1) {
      let parent = places[below(place)] ?? 0;
      while ((links[parent]?.length ?? 0) >= MOST_CHILDREN) parent = places[below(place)] ?? 0;
      links[parent]?.push(places[place] ?? 0);
    }
    this.links = links.map((children) => [
      ...children,
      ...Array.from({ length: MORE_LINKS }, () => below(texts.length)),
    ]);
  }

  /** The path of a text; it says nothing about its content. */
  pathOf(index: number): string {
    return `/page/${this.order.get(index) ?? 0}`;
  }

  /** Whether the rules of the site forbid a path. */
  isForbidden(path: string): boolean {
    return path.startsWith('/closed/');
  }

  /** Lets a site answer with these pages. */
  serve(site: WebSite): void {
    site.pages.set('/robots.txt', { body: 'User-agent: *\nDisallow: /closed/', type: 'text/plain' });
    site.pages.set('/', this.page({ title: 'Home', text: 'Welcome.' }, this.fromHome, 0));
    for (const [index, text] of this.texts.entries()) {
      const page = this.page(text, this.links[index] ?? [], index);
      const path = this.pathOf(index);
      for (const address of [path, path.replace('page', 'print'), path.replace('page', 'closed')])
        site.pages.set(address, page);
    }
    // Sessions change nothing; what is absent looks like a page.
    site.answers = (path) =>
      path.startsWith('/calendar') ? month(path) : (site.pages.get(path.replace(/\?phpsessid=\w+$/, '')) ?? LOST);
  }

  private page(text: SiteText, links: readonly number[], from: number): SitePage {
    const linked = links.map((index, at) => {
      const address = `${this.pathOf(index)}${at % 2 === 0 ? '' : `?phpsessid=${from}x${at}`}`;
      return `<a href="${address}">${escaped(titleOf(this.texts[index] ?? { title: '', text: '' }))}</a>`;
    });
    const place = this.order.get(from) ?? 0;
    const traps = [`/print/${place}`, `/closed/${place}`, `/gone/${place}`, '/calendar?month=1'];
    const trapped = traps.map((path) => `<a href="${path}">more</a>`);
    const title = escaped(titleOf(text));
    return {
      body: `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>${escaped(text.text)}</p></main><nav>${[...linked, ...trapped].join(' ')}</nav>`,
    };
  }
}

const month = (path: string): SitePage => {
  const number = Number(/month=(\d+)/.exec(path)?.[1] ?? 1);
  return htmlPage(`Month ${number}`, `Events of month ${number}.`, [`/calendar?month=${number + 1}`]);
};
