import { readFileSync } from 'node:fs';
import { EngineDown } from '@acervo/contracts';
import type { TenantScope } from '@acervo/platform-database';
import type { Metrics } from '@acervo/platform-observability';
import type { ChunkPlace, CopiesAsked, FoundCopies } from './copies/chunk-copies';
import type { CopyVersion } from './copies/copied-chunk.store';
import { LEXICAL_ENGINE } from '../../retrieval.metrics';
import { bulkLines, type Write, writeOutcome } from './bulk';
import { askedClauses, copiesByGeneration, type Counted, foundIn, isEnough } from './copy-count';
import type { Client, ClientSettings } from './client';
import { OPENSEARCH, OpenSearchRefused } from './engine-errors';
import { aliasOf, chunkId, indexOf, indexShape, placeOf } from './index-shape';
import type { Clause } from './lexical-query';

export interface OpenSearchSettings extends Omit<ClientSettings, 'certificates'> {
  /** File with the certificates that sign the engine's own. */
  readonly certificates: string | null;
  readonly prefix: string;
  readonly replicas: number;
  /** The longest wait of a search, so that the other leg answers in time. */
  readonly searchTimeoutMs: number;
}

/** A chunk as the engine ranks it. */
export interface ScoredChunk extends ChunkPlace {
  readonly score: number;
}

/** The longest wait of a write. After it, earlier writes are stored or refused. */
export const WRITE_TIMEOUT_MS = 10_000;

/** Copies of one document per page. */
const COPIES_AT_ONCE = 1_000;

interface Opened {
  readonly client: Client;
  understood(error: unknown): unknown;
}

const DEFAULT_SHARDS_PER_NODE = 1_000;

/** The limit of a data node, by the first settings that name one. */
const shardsPerNode = (settings: readonly Readonly<Record<string, unknown>>[]): number => {
  const [found] = settings.flatMap((each) => each['cluster.max_shards_per_node'] ?? []);
  return Number(found ?? DEFAULT_SHARDS_PER_NODE);
};

/**
 * The only access to OpenSearch. Every call is bound to one group, its indexes, and, in a search, its filter. No other
 * class has a client.
 */
export class OpenSearchEngine {
  private opening: Promise<Opened> | undefined;
  private readonly certificates: string | null;
  private readonly seconds;

  constructor(
    private readonly settings: OpenSearchSettings,
    metrics: Metrics,
  ) {
    const { certificates } = settings;
    this.certificates = certificates === null ? null : readFileSync(certificates, 'utf8');
    this.seconds = metrics.seconds(LEXICAL_ENGINE);
  }

  /** The best chunks, best first; ties by document and ordinal. @throws EngineDown; IndexLost; OpenSearchRefused */
  async search(
    scope: TenantScope,
    should: readonly Clause[],
    filter: readonly Clause[],
    size: number,
  ): Promise<readonly ScoredChunk[]> {
    const body = {
      query: { bool: { should, minimum_should_match: 1, filter: this.findable(scope, filter) } },
      sort: ['_score', 'document_id', 'ordinal'],
      size,
      _source: false,
      track_total_hits: false,
      timeout: `${this.settings.searchTimeoutMs}ms`,
    };
    const requestTimeout = this.settings.searchTimeoutMs;
    const { body: answer } = await this.timed('search', (client) =>
      client.search({ index: this.alias(scope), body: body as never }, { requestTimeout }),
    );
    if (answer.timed_out) throw new EngineDown(OPENSEARCH, 'timed out');
    return answer.hits.hits.map(({ _id: id, _score: score }) => ({ ...placeOf(String(id)), score: Number(score) }));
  }

  /** Writes each document unless a later version of it exists. @throws EngineDown; IndexLost; OpenSearchRefused */
  async write(scope: TenantScope, numbers: readonly number[], writes: readonly Write[]): Promise<void> {
    const indexes = numbers.map((number) => this.index(scope, number));
    for (const body of bulkLines(scope, indexes, writes)) {
      const { body: answer } = await this.timed('write', (client) =>
        client.bulk({ body: body as never }, { requestTimeout: WRITE_TIMEOUT_MS }),
      );
      const failure = writeOutcome(answer.items);
      if (failure !== null) throw failure;
    }
  }

  /** Which of these chunks an index currently lacks. */
  async missing(scope: TenantScope, number: number, places: readonly ChunkPlace[]): Promise<ReadonlySet<string>> {
    if (places.length === 0) return new Set();
    const { body } = await this.timed('look', (client) =>
      client.mget(
        { index: this.index(scope, number), _source: false, body: { ids: [...new Set(places.map(chunkId))] } },
        { requestTimeout: WRITE_TIMEOUT_MS },
      ),
    );
    return new Set(body.docs.flatMap((found) => ('found' in found && found.found ? [] : [found._id])));
  }

  /** How many chunks searches of the group can find. */
  async count(scope: TenantScope): Promise<number> {
    const query = { bool: { filter: this.findable(scope) } };
    const { body } = await this.timed('count', (client) =>
      client.count({ index: this.alias(scope), body: { query: query as never } }),
    );
    return body.count;
  }

  /** The chunks of documents that searches of the group can find, by generation. @throws as `search` */
  async found(scope: TenantScope, asked: CopiesAsked): Promise<readonly FoundCopies[]> {
    const found: FoundCopies[] = [];
    const query = { bool: { filter: this.findable(scope, askedClauses(asked)) } };
    for (let after: object | undefined; ;) {
      const answer = await this.look(scope, { query, size: 0, aggs: copiesByGeneration(after) });
      const counted = (answer.aggregations as unknown as { copies: Counted }).copies;
      found.push(...foundIn(counted));
      after = counted.after_key;
      if (isEnough(counted, found, asked)) return found;
    }
  }

  /** Every chunk of a document that searches can find, in pages, with its version. @throws as `search` */
  async *copiesOf(scope: TenantScope, documentId: string): AsyncGenerator<readonly CopyVersion[]> {
    const query = { bool: { filter: this.findable(scope, askedClauses({ only: [documentId] })) } };
    const page = { query, size: COPIES_AT_ONCE, sort: ['generation', 'ordinal'], version: true, _source: false };
    for (let after: object = {}; ;) {
      const { hits } = (await this.look(scope, { ...page, ...after })).hits;
      if (hits.length > 0)
        yield hits.map(({ _id: id, _version: version }) => ({ ...placeOf(String(id)), version: Number(version) }));
      if (hits.length < COPIES_AT_ONCE) return;
      after = { search_after: hits.at(-1)?.sort };
    }
  }

  /**
   * Creates an index unless it exists, and waits until it answers. An index of an earlier release gets the fields that
   * it lacks; its chunks get their values when they are written again.
   */
  async ensureIndex(scope: TenantScope, number: number): Promise<void> {
    const index = this.index(scope, number);
    const body = indexShape(this.settings.replicas);
    const made = this.timed('make', (client) => client.indices.create({ index, body: body as never }));
    await made.catch(async (error: unknown) => {
      if (!(error instanceof OpenSearchRefused) || error.type !== 'resource_already_exists_exception') throw error;
      await this.timed('make', (client) => client.indices.putMapping({ index, body: body.mappings as never }));
    });
    await this.timed('make', (client) =>
      client.cluster.health({ index, wait_for_status: 'yellow', timeout: '10s' }, { requestTimeout: 15_000 }),
    );
  }

  async hasIndex(scope: TenantScope, number: number): Promise<boolean> {
    const index = this.index(scope, number);
    return (await this.timed('look', (client) => client.indices.exists({ index }))).body;
  }

  /** Points the alias of the group to this index and to no other, in one step. */
  async aim(scope: TenantScope, number: number): Promise<void> {
    const [alias, index] = [this.alias(scope), this.index(scope, number)];
    const actions = [{ remove: { index: `${alias}-*`, alias, must_exist: false } }, { add: { index, alias } }];
    await this.timed('aim', (client) => client.indices.updateAliases({ body: { actions } }));
  }

  /** Whether the alias of the group points to an index. */
  async isAimed(scope: TenantScope): Promise<boolean> {
    const { body } = await this.timed('look', (client) => client.indices.existsAlias({ name: this.alias(scope) }));
    return body;
  }

  /** Removes an index; a missing one counts as removed. */
  async drop(scope: TenantScope, number: number): Promise<void> {
    const index = this.index(scope, number);
    await this.timed('drop', (client) => client.indices.delete({ index, ignore_unavailable: true }));
  }

  /** Makes earlier writes visible to searches at once. */
  async refresh(scope: TenantScope, number: number): Promise<void> {
    await this.timed('refresh', (client) => client.indices.refresh({ index: this.index(scope, number) }));
  }

  /** @throws EngineDown */
  async ping(): Promise<void> {
    await this.timed('ping', (client) => client.ping({}, { requestTimeout: 1_500 }));
  }

  /** Shards of the cluster, and how many it may have. @throws EngineDown; OpenSearchRefused */
  async shards(): Promise<{ readonly used: number; readonly limit: number }> {
    return this.timed('shards', async (client) => {
      const { body: health } = await client.cluster.health({ level: 'cluster' });
      const { body: settings } = await client.cluster.getSettings({ include_defaults: true, flat_settings: true });
      const perNode = shardsPerNode([settings.transient, settings.persistent, settings.defaults ?? {}]);
      const { active_shards: active, initializing_shards: starting, unassigned_shards: unassigned } = health;
      return { used: active + starting + unassigned, limit: perNode * health.number_of_data_nodes };
    });
  }

  async close(): Promise<void> {
    await (await this.opening)?.client.close();
  }

  /** The only definition of what searches of a group may find. */
  private findable({ groupId }: TenantScope, further: readonly Clause[] = []): readonly Clause[] {
    return [{ term: { group_id: groupId } }, { term: { gone: false } }, ...further];
  }

  /** A query that no user waits for, with the time limit of a search. */
  private async look(scope: TenantScope, question: object) {
    const requestTimeout = this.settings.searchTimeoutMs;
    const body = { ...question, track_total_hits: false, timeout: `${requestTimeout}ms` };
    const { body: answer } = await this.timed('compare', (client) =>
      client.search({ index: this.alias(scope), body: body as never }, { requestTimeout }),
    );
    if (answer.timed_out) throw new EngineDown(OPENSEARCH, 'timed out');
    return answer;
  }

  private alias(scope: TenantScope): string {
    return aliasOf(this.settings.prefix, scope);
  }

  private index(scope: TenantScope, number: number): string {
    return indexOf(this.settings.prefix, scope, number);
  }

  /** The package is large, and without a configured engine the database ranks words: the first call loads it. */
  private async open(): Promise<Opened> {
    const { openClient, understood } = await import('./client/index.js');
    return { client: openClient({ ...this.settings, certificates: this.certificates }), understood };
  }

  private async timed<T>(operation: string, work: (client: Client) => Promise<T>): Promise<T> {
    const { client, understood } = await (this.opening ??= this.open());
    const stop = this.seconds.startTimer({ engine: OPENSEARCH, operation });
    try {
      const result = await work(client);
      stop({ outcome: 'answered' });
      return result;
    } catch (error) {
      stop({ outcome: 'failed' });
      throw understood(error);
    }
  }
}
