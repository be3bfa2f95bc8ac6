/** A longer rule or sitemap fits no address that is fetched. */
const LONGEST_VALUE = 2_048;
/** Rules of one agent, and their characters together: each of them is compared with a page before it is fetched. */
const MOST_RULES = 1_000;
const MOST_CHARACTERS = 64 * 1024;
const MOST_SITEMAPS = 100;

const EVERY_AGENT = '*';
const RULES = new Set(['allow', 'disallow', 'crawl-delay']);

/** Lines of one kind, as many as are kept. */
class KeptLines {
  readonly lines: string[] = [];
  private characters = 0;

  constructor(private readonly most: number) {}

  add(name: string, value: string): void {
    if (value.length > LONGEST_VALUE || this.lines.length >= this.most) return;
    if (this.characters + value.length > MOST_CHARACTERS) return;
    this.characters += value.length;
    this.lines.push(`${name}: ${value}`);
  }
}

/** The name in small letters and the value of a line; an empty name where it says nothing. */
const lineOf = (text: string): readonly [name: string, value: string] => {
  const [content = ''] = text.split('#', 1);
  const colon = content.indexOf(':');
  return colon < 0 ? ['', ''] : [content.slice(0, colon).trim().toLowerCase(), content.slice(colon + 1).trim()];
};

/** An agent as groups of rules name it, without a version. */
const agentOf = (value: string): string => (value.split('/', 1)[0] ?? '').trim().toLowerCase();

/** Keeps the rules of one agent and those of every agent, each set once, whatever groups they come from. */
class RobotsLines {
  private readonly rules: ReadonlyMap<string, KeptLines>;
  private readonly sitemaps = new KeptLines(MOST_SITEMAPS);
  /** Whom the current group addresses, of those whose rules are kept. */
  private addressed: readonly KeptLines[] = [];
  private namesAgents = false;

  constructor(token: string) {
    this.rules = new Map([token.toLowerCase(), EVERY_AGENT].map((agent) => [agent, new KeptLines(MOST_RULES)]));
  }

  read(text: string): void {
    const [name, value] = lineOf(text);
    if (name === '') return;
    if (name === 'user-agent') this.address(agentOf(value));
    else if (name === 'sitemap') this.sitemaps.add(name, value);
    else if (RULES.has(name)) for (const rules of this.addressed) rules.add(name, value);
    this.namesAgents = name === 'user-agent';
  }

  text(): string {
    const groups = [...this.rules].filter(([, { lines }]) => lines.length > 0);
    return [...groups.flatMap(([agent, { lines }]) => [`User-agent: ${agent}`, ...lines]), ...this.sitemaps.lines].join(
      '\n',
    );
  }

  private address(agent: string): void {
    if (!this.namesAgents) this.addressed = [];
    const rules = this.rules.get(agent);
    if (rules !== undefined && !this.addressed.includes(rules)) this.addressed = [...this.addressed, rules];
  }
}

/**
 * What of a `robots.txt` concerns one agent, up to limits: its rules, those of every agent, and sitemaps. The parser
 * keeps each rule once for every mention of an agent, and has no limits.
 */
export const robotsTextFor = (token: string, text: string): string => {
  const robots = new RobotsLines(token);
  for (const line of text.split(/\r\n|\r|\n/)) robots.read(line);
  return robots.text();
};
