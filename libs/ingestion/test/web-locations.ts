import { type Call, createLocation, listDocuments, listRuns, materializeWeb, reviewWeb } from '@acervo/contracts';
import { ChatServer, htmlPage, type SitePage, WebSite } from '@acervo/platform-testing';
import { Bench, newGroup } from './bench';

type JsonObject = Record<string, unknown>;

export interface ListedDocument {
  readonly code: string;
  readonly name: string;
  readonly status: string;
  readonly url: string;
  readonly location: string;
  readonly fs: JsonObject;
}

export interface ListedCandidate {
  readonly url: string;
  readonly score: number;
  readonly why: string;
  readonly decision: string;
  readonly problem: string | null;
}

export const TOPIC = 'riego de huertos con agua reciclada';

export const SITE: Readonly<Record<string, SitePage>> = {
  '/': htmlPage('Inicio', 'Noticias de la comarca y sus vecinos.', ['/riego.html', '/museo.html', '/huertos.html']),
  '/riego.html': htmlPage('Riego', 'El riego por goteo ahorra agua en los huertos de almendros.', ['/filtro.txt']),
  '/huertos.html': htmlPage('Huertos', 'Los huertos reciben agua reciclada por turnos de riego.'),
  '/museo.html': htmlPage('Museo', 'El museo muestra cerámica en cuatro salas.'),
  '/robots.txt': { body: 'User-agent: *\nDisallow: /privado', type: 'text/plain' },
};

/** A group without locations. */
type Group = ReturnType<WebLocations['group']>;

/** A group with one web location. */
interface Researched extends Group {
  readonly code: string;
  readonly review: (input?: JsonObject) => Promise<ListedCandidate[]>;
  /** Fetches the approved pages, and answers the run. */
  readonly refresh: (by?: Bench) => Promise<JsonObject>;
}

/** The ingestion service beside a site and a chat model, and groups with web locations of the site. */
export class WebLocations {
  private constructor(
    readonly bench: Bench,
    readonly site: WebSite,
    /** What it answers unless a test scripts it is no answer of the schema. */
    readonly chat: ChatServer,
  ) {}

  static async open(): Promise<WebLocations> {
    const [site, chat] = [await WebSite.open(SITE), new ChatServer()];
    const model = { ACERVO_CHAT_URL: await chat.open(), ACERVO_CHAT_MODEL: 'small', ACERVO_CHAT_SUMMARIES: 'false' };
    const environment = { ...site.environment, ...model };
    return new WebLocations(await Bench.open(undefined, undefined, { environment }), site, chat);
  }

  /** The site has its first pages again, and nothing was requested. */
  reset(): void {
    const { site, chat } = this;
    site.pages.clear();
    for (const [path, page] of Object.entries(SITE)) site.pages.set(path, page);
    site.requests.length = 0;
    site.answers = () => undefined;
    chat.received.length = 0;
  }

  async close(): Promise<void> {
    await this.bench.close();
    await this.site.close();
    await this.chat.close();
  }

  group(groupId = newGroup()) {
    const { bench, site } = this;
    const ask = (call: Call, input: JsonObject = {}) =>
      bench.askAs(call, groupId, input, { groupCode: 'G1', activeEntity: 'E1' }, 'operations');
    const documents = async (): Promise<ListedDocument[]> =>
      (await bench.askAs(listDocuments, groupId, { limit: 100 }))['documents'] as ListedDocument[];
    const create = (more: JsonObject = {}) =>
      ask(createLocation, { name: 'Riego', start_urls: [site.url('/')], topic: TOPIC, ...more });
    const sql = (text: string, ...values: unknown[]): Promise<JsonObject[]> =>
      bench.database.write({ groupId }, (tx) => tx.query<JsonObject>(text, [groupId, ...values]));
    const runs = async (): Promise<JsonObject[]> => (await bench.askAs(listRuns, groupId, {}))['runs'] as JsonObject[];
    return { groupId, ask, documents, create, sql, runs };
  }

  /** A researched location. */
  async researched(more: JsonObject = {}): Promise<Researched> {
    const { bench } = this;
    const made = this.group();
    const { location_code } = await made.create(more);
    await bench.work(made.groupId);
    const code = String(location_code);
    const review = async (input: JsonObject = {}): Promise<ListedCandidate[]> =>
      (await made.ask(reviewWeb, { location_code: code, ...input }))['candidates'] as ListedCandidate[];
    const refresh = async (by = bench): Promise<JsonObject> => {
      await made.ask(materializeWeb, { location_code: code });
      await by.work(made.groupId);
      return (await made.runs())[0] ?? {};
    };
    return { ...made, code, review, refresh };
  }

  /** One with the documents of two pages. */
  async materialised(): Promise<Researched> {
    const { bench, site } = this;
    const made = await this.researched();
    await made.review({ approve: [site.url('/riego.html'), site.url('/huertos.html')] });
    await made.refresh();
    site.requests.length = 0;
    await bench.forget();
    return made;
  }
}
