import { setTimeout as pause } from 'node:timers/promises';
import { askOpenSearch } from '@acervo/platform-testing';
import { write } from '../harness/program';
import { type Service, SERVICES } from '../harness/deployment/composed-environments';
import type { Installation } from '../harness/installation';

/** Counts of the documents that the suite wrote. */
export interface Counts {
  /** Documents that a search for their unique word does not find. */
  readonly lost: number;
  /** Surplus documents, chunks and vectors. */
  readonly doubled: number;
  /** Surplus copies in OpenSearch. */
  readonly copies: number;
  /** Documents not in their final state, and tasks and events that wait or were given up. */
  readonly open: number;
}

const ASKED_AT_ONCE = 4;
/** Longest time that work may last behind the end of a step, in milliseconds. */
const REST_MS = 30_000;
const LOOK_MS = 500;
const WORKING = ['ingestion', 'retrieval'] as const;

const SEARCHABLE = `select count(*)::int as n from ingestion.document where group_id = $1 and status = 'VECTORIZADO'`;
const UNFINISHED = `select count(*)::int as n from ingestion.document where group_id = $1 and status <> 'VECTORIZADO'`;
const waitingIn = (service: string): string => `select (select count(*)::int from ${service}.outbox)
  + (select count(*)::int from ${service}.incoming) + (select count(*)::int from ${service}.dead_letter) as n, $1 as g`;
const tasksOf = (service: string): string => `select count(*)::int as n from ${service}.task
  where group_id = $1 and stage not in ('reconcile', 'rescan', 'schedule-spaces') and status in ('WAITING', 'LEASED')`;
const COUNTS_SQL = `select (select count(*)::int from retrieval.live where group_id = $1) as documents,
  (select coalesce(sum(chunk_count), 0)::int from retrieval.live where group_id = $1) as live,
  (select count(*)::int from retrieval.chunk where group_id = $1) as chunks,
  (select count(distinct (document_id, ordinal))::int from retrieval.chunk where group_id = $1) as "distinct",
  (select count(*)::int from retrieval.vector_384 where group_id = $1) as vectors`;

const wordOf = (number: number): string => `palabra${String(number).padStart(6, '0')}x`;

/** Writes documents with unique words, and counts them in the stores. */
export class WrittenDocuments {
  private readonly words = new Map<string, string>();
  private folders = 0;
  private next = 0;

  constructor(
    private readonly folder: string,
    private readonly installation: () => Installation,
  ) {}

  get written(): number {
    return this.words.size;
  }

  /** The unique word of a document. */
  wordOf(name: string): string {
    return this.words.get(name) ?? '';
  }

  /** Writes new documents into a new folder; returns their names. */
  arrive(count: number): string[] {
    this.folders += 1;
    const names = Array.from({ length: count }, (_, index) => `lote-${this.folders}-d${index}.txt`);
    for (const name of names) this.write(name, this.folders);
    return names;
  }

  /** Changes the text of documents; their old words must no longer be found. */
  change(names: readonly string[]): void {
    for (const name of names) this.write(name, Number(/^lote-(\d+)/.exec(name)?.[1]));
  }

  /** Number of searchable documents. @throws while the database is unavailable */
  async searchable(names?: readonly string[]): Promise<number> {
    if (names === undefined) return this.one('ingestion', SEARCHABLE);
    const sql = `${SEARCHABLE} and name = any($2)`;
    const [row] = await this.installation().rows<{ n: number }>('ingestion', sql, [names]);
    return row?.n ?? 0;
  }

  /** Amount of unfinished work. @throws while the database is unavailable */
  async open(): Promise<number> {
    const waiting = await Promise.all([
      this.one('ingestion', UNFINISHED),
      ...SERVICES.map((service) => this.one(service, waitingIn(service))),
      ...WORKING.map((service) => this.one(service, tasksOf(service))),
    ]);
    const missing = Math.max(0, this.written - (await this.searchable()));
    return waiting.reduce((sum, count) => sum + count, missing);
  }

  /**
   * Whether nothing is left to do and these documents are found by their present words. A change that no scan has
   * noticed yet leaves no work behind, so the work is counted again once the words are found.
   */
  async isDone(names: readonly string[]): Promise<boolean> {
    if ((await this.open()) > 0 || (await this.lost(names)) > 0) return false;
    return (await this.open()) === 0;
  }

  /**
   * The counts once nothing is left to do. An event that is delivered twice is work for a moment after all documents
   * are done; work that lasts longer than `REST_MS` is counted.
   */
  async counts(names: readonly string[]): Promise<Counts> {
    for (const end = Date.now() + REST_MS; ; await pause(LOOK_MS)) {
      const counts = { lost: await this.lost(names), ...(await this.beside()), open: await this.open() };
      if (counts.open === 0 || Date.now() > end) return counts;
    }
  }

  /** Number of these documents that are not found first by their word, or more than once. */
  private async lost(names: readonly string[]): Promise<number> {
    const left = [...names];
    let lost = 0;
    const ask = async (): Promise<void> => {
      for (let name = left.pop(); name !== undefined; name = left.pop()) {
        const found = await this.installation().search(this.wordOf(name), { limit: 3 });
        const isUnique = found.filter((each) => each.name === name).length === 1;
        if (found[0]?.name !== name || !isUnique) lost += 1;
      }
    };
    await Promise.all(Array.from({ length: ASKED_AT_ONCE }, ask));
    return lost;
  }

  private async beside(): Promise<Pick<Counts, 'doubled' | 'copies'>> {
    const [counts] = await this.installation().rows<Record<string, number>>('retrieval', COUNTS_SQL);
    const { documents = 0, live = 0, chunks = 0, distinct = 0, vectors = 0 } = counts ?? {};
    const recorded = await this.one(
      'ingestion',
      'select count(*)::int as n from ingestion.document where group_id = $1',
    );
    const more = [documents - this.written, recorded - this.written, chunks - live, vectors - live];
    const doubled = more.reduce((sum, each) => sum + Math.abs(each), chunks - distinct);
    return { doubled, copies: Math.abs((await this.copies()) - live) };
  }

  /** Live chunks in OpenSearch. */
  private async copies(): Promise<number> {
    const { engines, scope } = this.installation();
    const index = `${engines['ACERVO_OPENSEARCH_PREFIX']}-${scope.groupId}`;
    await askOpenSearch(`${index}/_refresh`, 'POST');
    return ((await askOpenSearch(`${index}/_count?q=gone:false`)) as { count: number }).count;
  }

  private async one(service: Service, sql: string): Promise<number> {
    const [row] = await this.installation().rows<{ n: number }>(service, sql);
    return row?.n ?? 0;
  }

  private write(name: string, folder: number): void {
    this.next += 1;
    const word = wordOf(this.next);
    const text = `El expediente ${word} trata de la acequia y de quien la limpia en abril. `.repeat(40);
    this.words.set(name, word);
    write(this.folder, { [`lote-${folder}/${name}`]: text });
  }
}
