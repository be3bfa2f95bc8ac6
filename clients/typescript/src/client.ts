import { routes } from './generated/routes';
import type { components } from './generated/schema';
import { Transport } from './transport';
import type { Input, Methods, OperationId, Output, RequestOptions } from './types';

type Schemas = components['schemas'];

export interface ClientOptions {
  /** An API key or an access token. */
  readonly key: string;
  /** Address of the service, e.g. `https://acervo.example`. */
  readonly baseUrl: string;
  /** Tries after the first one, for 429, 503 and broken connections; 2 by default. */
  readonly retries?: number;
  /** Longest time of one try; a minute by default. */
  readonly timeoutMs?: number;
  /** Replaces the `fetch` of the platform. */
  readonly fetch?: typeof fetch;
}

const MINUTE_MS = 60_000;

/** An answer whose items continue behind a cursor. */
interface CursorPage {
  readonly next_cursor: string | null;
}

// A method for each route, e.g. `client.searchDocuments({ query })`.
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging, @typescript-eslint/no-empty-object-type -- the constructor defines each method
export interface AcervoClient extends Methods {}

/** The API of one service under one key. Each route is a method with the name of its operationId. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- the same
export class AcervoClient {
  private readonly transport: Transport;

  constructor({ key, baseUrl, retries = 2, timeoutMs = MINUTE_MS, fetch: send = globalThis.fetch }: ClientOptions) {
    this.transport = new Transport({ key, baseUrl, retries, timeoutMs, fetch: send });
    for (const id of Object.keys(routes) as OperationId[])
      Object.defineProperty(this, id, {
        value: (input?: Input<OperationId>, options?: RequestOptions) => this.call(id, input, options),
      });
  }

  /** Calls a route by its operationId. @throws AcervoError */
  async call<K extends OperationId>(id: K, input?: Input<K>, options?: RequestOptions): Promise<Output<K>> {
    return (await this.transport.send(routes[id], { ...(input as object | undefined) }, options)) as Output<K>;
  }

  /** All documents of a list, page by page. */
  async *documents(
    input: Input<'listDocuments'> = {},
    options?: RequestOptions,
  ): AsyncGenerator<Schemas['DocumentItem']> {
    for (let page = input.page ?? 1; ; page += 1) {
      const { documents, total, limit } = await this.listDocuments({ ...input, page }, options);
      yield* documents;
      if (documents.length === 0 || page * limit >= total) return;
    }
  }

  /** All areas of a list, page by page. */
  areas(input: Input<'listAreas'> = {}, options?: RequestOptions): AsyncGenerator<Schemas['AreaItem']> {
    return this.follow(
      (cursor) => this.listAreas({ ...input, ...cursor }, options),
      ({ areas }) => areas,
    );
  }

  /** All folders of a list, page by page. */
  locations(input: Input<'listLocations'> = {}, options?: RequestOptions): AsyncGenerator<Schemas['LocationItem']> {
    return this.follow(
      (cursor) => this.listLocations({ ...input, ...cursor }, options),
      ({ locations }) => locations,
    );
  }

  /** All spaces of a list, page by page. */
  spaces(input: Input<'listSpaces'> = {}, options?: RequestOptions): AsyncGenerator<Schemas['Space']> {
    return this.follow(
      (cursor) => this.listSpaces({ ...input, ...cursor }, options),
      ({ spaces }) => spaces,
    );
  }

  private async *follow<P extends CursorPage, T>(
    read: (cursor: { readonly cursor?: string }) => Promise<P>,
    itemsOf: (page: P) => readonly T[],
  ): AsyncGenerator<T> {
    let position: { readonly cursor?: string } | undefined = {};
    while (position !== undefined) {
      const page: P = await read(position);
      yield* itemsOf(page);
      position = page.next_cursor === null ? undefined : { cursor: page.next_cursor };
    }
  }
}
