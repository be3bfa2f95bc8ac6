import { compareStores, registerFolder, reportStores, searchDocuments, startRun } from '@acervo/contracts';
import { type BothServices, newGroup } from './both-services';

type JsonObject = Record<string, unknown>;

/** Contents of all stores for a group. */
export interface Contents {
  readonly chunks: number;
  readonly vectors: number;
  readonly live: number;
  readonly objects: number;
}

/** A group with one folder, and the queries of tests about it. */
export class Library {
  readonly groupId = newGroup();
  readonly root: string;
  private location = '';

  constructor(
    readonly both: BothServices,
    name: string,
    files: Readonly<Record<string, string>>,
  ) {
    this.root = both.folder(name, files);
  }

  async register(): Promise<void> {
    const registered = await this.both.ask(registerFolder, this.groupId, { path: this.root, entity_code: 'E1' });
    this.location = String(registered['location_code']);
  }

  scan(accept = true): Promise<JsonObject> {
    const input = { location_code: this.location, accept_deletions: accept };
    return this.both.ask(startRun, this.groupId, input);
  }

  /** Registers and scans the folder, and works everything. */
  async ingestFolder(): Promise<void> {
    await this.register();
    await this.scan();
    await this.both.settle(this.groupId);
  }

  sql(service: 'ingestion' | 'retrieval', text: string): Promise<JsonObject[]> {
    return this.both.sql(service, this.groupId, text);
  }

  async documentOf(name: string): Promise<{ id: string; code: string; status: string; generation: number }> {
    const [row] = await this.sql(
      'ingestion',
      `select document_id as id, code, status, generation from ingestion.document where group_id = $1 and name = '${name}'`,
    );
    return row as { id: string; code: string; status: string; generation: number };
  }

  /** Names of the documents that a search finds. */
  async find(query: string): Promise<string[]> {
    const answer = await this.both.askAs(searchDocuments, this.groupId, { query, limit: 20 });
    return (answer['documents'] as JsonObject[]).map(({ name }) => String(name)).sort();
  }

  async contents(): Promise<Contents> {
    const [row] = await this.sql(
      'retrieval',
      `select (select count(*)::int from retrieval.chunk where group_id = $1) as chunks,
         (select count(*)::int from retrieval.vector_384 where group_id = $1)
           + (select count(*)::int from retrieval.vector_512 where group_id = $1) as vectors,
         (select count(*)::int from retrieval.live where group_id = $1) as live`,
    );
    return { ...(row as Omit<Contents, 'objects'>), objects: (await this.both.objectKeys(this.groupId)).length };
  }

  /**
   * Compares the stores once; returns the differences found and repaired, by kind. `between` runs while the comparison
   * waits to confirm a difference.
   */
  async compare(between: () => Promise<void> = () => Promise.resolve()): Promise<JsonObject> {
    const { both, groupId } = this;
    const before = (await both.ask(reportStores, groupId, {}))['finished_at'];
    await both.ask(compareStores, groupId, {});
    for (let turn = 0; turn < 500; turn += 1) {
      const [row] = await this.sql('ingestion', `select pass from ingestion.reconciliation where group_id = $1`);
      if ((row?.['pass'] as JsonObject | undefined)?.['phase'] === 'confirming') await between();
      await both.hasten('ingestion', groupId, 'reconcile');
      await both.workOnce(groupId, 'reconcile');
      const report = await both.ask(reportStores, groupId, {});
      if (report['finished_at'] !== before)
        return Object.fromEntries(
          (report['differences'] as JsonObject[]).map(({ kind, found, repaired }) => [String(kind), [found, repaired]]),
        );
    }
    throw new Error('The comparison does not end.');
  }
}
