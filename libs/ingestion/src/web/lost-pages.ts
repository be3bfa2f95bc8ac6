import { randomBytes } from 'node:crypto';
import { defaultLanguages } from '@acervo/analysis';
import { EgressBusy } from '@acervo/platform-egress';
import { pageFacts } from './page-facts';
import type { SiteClient } from './site-client';

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
    private readonly client: SiteClient,
    private readonly group: string,
    remembered: Readonly<Record<string, readonly string[]>>,
  ) {
    this.byOrigin = new Map(Object.entries(remembered));
  }

  /** The words of the page for absent pages by site; none where the site says 404. */
  get state(): Readonly<Record<string, readonly string[]>> {
    return Object.fromEntries(this.byOrigin);
  }

  async isLost(url: string, text: string): Promise<boolean> {
    const { origin } = new URL(url);
    const lost = this.byOrigin.get(origin) ?? (await this.ask(origin));
    this.byOrigin.set(origin, lost);
    return lost.length > 0 && likeness(wordsOf(text), new Set(lost)) >= SAME;
  }

  private async ask(origin: string): Promise<readonly string[]> {
    const url = `${origin}/${randomBytes(12).toString('hex')}`;
    try {
      const page = await this.client.fetch(this.group, { url, types: ['text/html'] });
      return page.status === 200 ? wordsOf(pageFacts(page.body.toString('utf8'), url, defaultLanguages).text) : [];
    } catch (error) {
      if (error instanceof EgressBusy) throw error;
      return [];
    }
  }
}
