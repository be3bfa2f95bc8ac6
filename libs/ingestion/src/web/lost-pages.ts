import { randomBytes } from 'node:crypto';
import { defaultLanguages } from '@acervo/analysis';
import { EgressBusy, EgressFailure } from '@acervo/platform-egress';
import { pageFacts } from './page-facts';
import type { SiteAsker, SiteClient } from './site-client';

/** The words of the page that each site shows for absent pages; none where the site says 404. */
export type LostWords = Readonly<Record<string, readonly string[]>>;

const WORD = /\p{L}+/gu;
const MOST_WORDS = 300;
/** Share of common words from which a page is the one that the site shows for absent pages. */
const SAME = 0.8;

const wordsOf = (text: string): string[] => [...new Set(text.toLowerCase().match(WORD) ?? [])].slice(0, MOST_WORDS);

const likeness = (a: readonly string[], b: ReadonlySet<string>): number => {
  const common = a.filter((word) => b.has(word)).length;
  return common / Math.max(1, a.length + b.size - common);
};

/** Recognises sites that answer absent pages with status 200: each site is asked once for a page that cannot exist. */
export class LostPages {
  private readonly byOrigin: Map<string, readonly string[]>;

  constructor(
    private readonly client: Pick<SiteClient, 'fetch'>,
    private readonly asker: SiteAsker,
    remembered: LostWords = {},
  ) {
    this.byOrigin = new Map(Object.entries(remembered));
  }

  get state(): LostWords {
    return Object.fromEntries(this.byOrigin);
  }

  remember(words: LostWords): void {
    for (const [origin, each] of Object.entries(words)) this.byOrigin.set(origin, each);
  }

  /** What has to be learned of the site of an address before its pages are judged. @throws EgressBusy */
  async learn(url: string): Promise<LostWords> {
    const { origin } = new URL(url);
    return this.byOrigin.has(origin) ? {} : { [origin]: await this.ask(origin) };
  }

  /** Whether a text is the one for absent pages, by what is remembered and what was learned. */
  isLost(url: string, text: string, learned: LostWords = {}): boolean {
    const { origin } = new URL(url);
    const lost = learned[origin] ?? this.byOrigin.get(origin) ?? [];
    return lost.length > 0 && likeness(wordsOf(text), new Set(lost)) >= SAME;
  }

  private async ask(origin: string): Promise<readonly string[]> {
    const { group, signal } = this.asker;
    const name = randomBytes(12).toString('hex');
    const url = `${origin}/${name}`;
    try {
      const page = await this.client.fetch(group, {
        ...{ url, types: ['text/html'] },
        ...(signal === undefined ? {} : { signal }),
      });
      // A redirect away from the absent address leads to a live page, such as the home page.
      const isInPlace = page.status === 200 && new URL(page.url).pathname.includes(name);
      return isInPlace ? wordsOf(pageFacts(page.body.toString('utf8'), url, defaultLanguages).text) : [];
    } catch (error) {
      if (error instanceof EgressBusy || !(error instanceof EgressFailure)) throw error;
      return [];
    }
  }
}
