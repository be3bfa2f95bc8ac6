import { RELEASE } from '@acervo/platform-config';
import type { Rates } from '@acervo/platform-counters';
import { RecentAnswers, unlessAborted } from '@acervo/platform-resilience';
import { systemConnect } from './checked-client';
import { AnswerRefused, RobotsForbid, SiteUnavailable, TooManyRedirects } from './egress.errors';
import type { EgressConfig } from './egress.config';
import { exchange, mediaTypeOf, type Network, type Question, type Reply } from './exchange';
import { OutgoingTurns } from './outgoing-turns';
import { systemResolve } from './resolve';
import { PRODUCT_TOKEN, type SiteRules, siteRulesOf, siteRulesWithout } from './site-rules';
import type { SiteToken } from './site-token';
import { readAddress, type Target, targetOf } from './target';
import { TimeLeft } from './time-left';

/** What of a stored page a site may compare with its own. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export interface PageRequest {
  /** What a user gave, or a site named. */
  readonly url: string;
  /** Media types that are read. */
  readonly types: readonly string[];
  /** Of the page as it is stored: an unchanged one answers 304 without a body. */
  readonly validators?: Validators;
  /** Sent as long as a chain of redirects stays on its host. */
  readonly token?: SiteToken;
  readonly signal?: AbortSignal;
}

export interface Page {
  readonly status: number;
  /** Where the last redirect led. */
  readonly url: string;
  readonly redirects: number;
  readonly mediaType: string;
  readonly contentType: string;
  readonly validators: Validators;
  /** Empty unless the status is 200. */
  readonly body: Buffer;
}

/** What differs in suites: the clock of an exchange, and the network. */
export interface EgressDependencies extends Partial<Pick<Network, 'resolve' | 'connect'>> {
  readonly totalMs?: number;
}

/** How a chain of redirects is followed. */
interface Chain {
  readonly question: Question;
  readonly permit: Permit;
  readonly token?: SiteToken;
  readonly signal?: AbortSignal;
}

interface Followed {
  readonly url: URL;
  readonly redirects: number;
  readonly reply: Reply;
}

/** Decides before each request of a chain of redirects whether it is sent; answers the spacing that the site asks for. */
type Permit = (target: Target) => Promise<number>;

const MOST_REDIRECTS = 3;
const TOTAL_MS = 10_000;
const BODY_BYTES = 10 * 1024 * 1024;
const ROBOTS_BYTES = 500 * 1024;
const RULES_HOLD_MS = 3_600_000;
/** Sites whose rules are kept at a time: those of one take some hundred kilobytes at most. */
const MOST_RULES = 200;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

const portsOf = (list: string): ReadonlySet<number> =>
  new Set(
    list
      .split(',')
      .map((port) => Number(port.trim()))
      .filter((port) => Number.isInteger(port) && port > 0),
  );

const validatorHeaders = ({ etag, lastModified }: Validators): Record<string, string> => ({
  ...(etag === null ? {} : { 'if-none-match': etag }),
  ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
});

const redirectOf = (url: URL, { headers }: Reply): string => {
  const location = readAddress(headers.get('location') ?? '', url);
  if (location === null || !headers.has('location')) throw new AnswerRefused('REDIRECT');
  return location.href;
};

/**
 * The only client for addresses that users give. It reaches the public internet and nothing else, sends no cookies and
 * no credentials but a token to its own site, and keeps the rules of the sites.
 */
export class Egress {
  private readonly network: Network;
  private readonly turns: OutgoingTurns;
  private readonly userAgent: string;
  private readonly totalMs: number;
  private readonly rules = new RecentAnswers<SiteRules>(RULES_HOLD_MS, MOST_RULES);

  constructor(config: EgressConfig, rates: Rates, dependencies: EgressDependencies = {}) {
    this.network = {
      resolve: dependencies.resolve ?? systemResolve,
      connect: dependencies.connect ?? systemConnect,
      allowed: { ports: portsOf(config.egressPorts), allowsLoopback: config.egressLoopback },
    };
    this.totalMs = dependencies.totalMs ?? TOTAL_MS;
    this.turns = new OutgoingTurns(rates, {
      requestsPerSecond: config.egressRequestsPerSecond,
      groupPerHour: config.egressGroupPerHour,
    });
    const contact = config.egressContact === null ? '' : ` (+${config.egressContact})`;
    this.userAgent = `${PRODUCT_TOKEN}/${RELEASE}${contact}`;
  }

  /** Checks the form of an address that a user gives, without asking anything. @throws AddressRefused */
  assertAddress(url: string): void {
    targetOf(url, this.network.allowed);
  }

  /** Fetches a page for a group. @throws EgressFailure */
  async fetch(group: string, { url, types, validators, token, signal }: PageRequest): Promise<Page> {
    const question: Question = {
      headers: { accept: types.join(', '), ...(validators === undefined ? {} : validatorHeaders(validators)) },
      types: new Set(types),
      limit: { most: BODY_BYTES, beyond: 'refuse' },
    };
    const permit: Permit = async (target) => {
      // The rules are read for all who wait for them: a caller that is gone stops to wait, and ends nothing.
      const asked = this.rulesOf(group, target);
      const rules = await unlessAborted(signal, asked);
      if (!rules.allows(target.url)) throw new RobotsForbid();
      return rules.spacingSeconds;
    };
    const followed = await this.follow(group, url, {
      ...{ question, permit },
      ...(token === undefined ? {} : { token }),
      ...(signal === undefined ? {} : { signal }),
    });
    const { headers, status, body } = followed.reply;
    return {
      ...{ status, body, url: followed.url.href, redirects: followed.redirects },
      contentType: headers.get('content-type') ?? '',
      mediaType: mediaTypeOf(headers),
      validators: { etag: headers.get('etag') ?? null, lastModified: headers.get('last-modified') ?? null },
    };
  }

  /** Sitemaps that a site names in its rules. @throws EgressFailure */
  async sitemapsOf(group: string, url: string): Promise<readonly string[]> {
    return (await this.rulesOf(group, targetOf(url, this.network.allowed))).sitemaps;
  }

  private rulesOf(group: string, { url }: Target): Promise<SiteRules> {
    const address = new URL('/robots.txt', url);
    const question: Question = {
      headers: { accept: 'text/plain, */*;q=0.1' },
      types: null,
      limit: { most: ROBOTS_BYTES, beyond: 'leave out' },
    };
    return this.rules.get(`${group} ${url.origin}`, async () => {
      try {
        const { reply } = await this.follow(group, address.href, { question, permit: () => Promise.resolve(0) });
        return siteRulesOf(address, reply);
      } catch (error) {
        return siteRulesWithout(error);
      }
    });
  }

  /** Follows redirects, each of which is checked like the first address. The waits for turns cost no time. */
  private async follow(group: string, first: string, chain: Chain): Promise<Followed> {
    const { question, permit, signal } = chain;
    const time = new TimeLeft(this.totalMs, () => new SiteUnavailable('TIME'));
    let next = first;
    let { token } = chain;
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
      const target = targetOf(next, this.network.allowed);
      // A chain that left the host of its token does not get it back.
      if (token?.isFor(target.url) !== true) token = undefined;
      await this.turns.take(group, target.host, await permit(target), signal);
      const asked = this.headed(question, token);
      const reply = await time.spend((late) => exchange(target, this.network, asked, late), signal);
      if (!REDIRECTS.has(reply.status)) return { url: target.url, redirects, reply };
      next = redirectOf(target.url, reply);
    }
    throw new TooManyRedirects(MOST_REDIRECTS);
  }

  private headed(question: Question, token: SiteToken | undefined): Question {
    return { ...question, headers: { ...question.headers, ...token?.header, 'user-agent': this.userAgent } };
  }
}
