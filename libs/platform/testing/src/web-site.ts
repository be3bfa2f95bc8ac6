import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a site of a test answers for a path. */
export interface SitePage {
  readonly body: string;
  readonly type?: string;
  readonly status?: number;
}

/** A request that a site got. */
export interface SiteRequest {
  readonly path: string;
  readonly isConditional: boolean;
  /** Milliseconds of the clock of this process. */
  readonly at: number;
}

const tagOf = ({ body }: SitePage): string => `"${Buffer.from(body).length}-${body.slice(0, 20).replace(/\W/g, '')}"`;

/** A page of HTML with a title, a text and links. */
export const htmlPage = (title: string, text: string, links: readonly string[] = []): SitePage => ({
  body: `<!doctype html><html><head><title>${title}</title></head><body><main><h1>${title}</h1><p>${text}</p></main>${links
    .map((link) => `<a href="${link}">${link.replace(/\W+/g, ' ')}</a>`)
    .join(' ')}</body></html>`,
});

/** A site on this machine whose pages a test changes; it answers conditional requests by tags. */
export class WebSite {
  readonly pages = new Map<string, SitePage>();
  readonly requests: SiteRequest[] = [];
  /** What requests showed to get in. */
  readonly authorizations: string[] = [];
  /** What the site answers for paths without a page; the status 404 where this answers nothing. */
  answers: (path: string) => SitePage | undefined = () => undefined;
  private noteHeld: (() => void) | undefined;
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => this.answer(request, response));
  }

  static async open(pages: Readonly<Record<string, SitePage>> = {}): Promise<WebSite> {
    const site = new WebSite();
    for (const [path, page] of Object.entries(pages)) site.pages.set(path, page);
    await new Promise<void>((resolve) => site.server.listen(0, '127.0.0.1', resolve));
    return site;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Settings with which a service may fetch this site. */
  get environment(): Readonly<Record<string, string>> {
    return {
      NODE_ENV: 'test',
      ACERVO_EGRESS_LOOPBACK: 'true',
      ACERVO_EGRESS_PORTS: String(this.port),
      ACERVO_EGRESS_REQUESTS_PER_SECOND: '100',
    };
  }

  url(path: string): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  /** Leaves the next request for a page without an answer; resolves when it arrives. */
  holdNext(): Promise<void> {
    return new Promise((resolve) => (this.noteHeld = resolve));
  }

  /** How often a path was asked for. */
  times(path: string): number {
    return this.requests.filter((request) => request.path === path).length;
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private answer({ url = '', headers }: IncomingMessage, response: ServerResponse): void {
    const page = this.pages.get(url) ?? this.answers(url);
    const tag = headers['if-none-match'];
    if (headers.authorization !== undefined) this.authorizations.push(headers.authorization);
    this.requests.push({ path: url, isConditional: tag !== undefined, at: performance.now() });
    if (this.noteHeld !== undefined && url !== '/robots.txt') {
      this.noteHeld();
      return void (this.noteHeld = undefined);
    }
    if (page === undefined) return void response.writeHead(404, { 'content-type': 'text/html' }).end('absent');
    const { body, type = 'text/html; charset=utf-8', status = 200 } = page;
    if (status === 200 && tag === tagOf(page)) return void response.writeHead(304, { etag: tag }).end();
    response.writeHead(status, { 'content-type': type, etag: tagOf(page) }).end(body);
  }
}
