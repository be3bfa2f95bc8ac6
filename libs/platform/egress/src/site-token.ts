/** Characters of a header that no client and no site reads differently. */
const SENDABLE = /^[\x21-\x7e]+$/;

const hostOf = (text: string): string | null => {
  const address = `https://${text.trim()}`;
  return URL.canParse(address) && new URL(address).pathname === '/' ? new URL(address).host : null;
};

/** A secret for one site. It is sent to the host of that site alone, over https, and shown nowhere. */
export class SiteToken {
  readonly #value: string;

  private constructor(
    readonly host: string,
    value: string,
  ) {
    this.#value = value;
  }

  /** Null where the host is none, or the token cannot be sent in a header. */
  static of(host: string, value: string): SiteToken | null {
    const site = hostOf(host);
    const token = value.trim();
    return site === null || !SENDABLE.test(token) ? null : new SiteToken(site, token);
  }

  isFor(url: URL): boolean {
    return url.protocol === 'https:' && url.host === this.host;
  }

  /** What a request to the host of the site has. */
  get header(): Readonly<Record<string, string>> {
    return { authorization: `Bearer ${this.#value}` };
  }

  toJSON(): string {
    return 'token';
  }
}
