import type { Database, TenantScope, Transaction } from '@acervo/platform-database';

/** A result, and the way to remember it in the transaction that uses it. */
export interface Reusable<V extends object> {
  readonly value: V;
  /** The objects that it names: nobody does, until it is used. */
  readonly objects: readonly string[];
  keep(tx: Transaction): Promise<void>;
}

/** The result that was to be used again was discarded meanwhile, with its objects. The step is simply done again. */
export class ResultDiscarded extends Error {
  constructor() {
    super('A remembered result was discarded while it was about to be used; the step is done again.');
    this.name = 'ResultDiscarded';
  }
}

/** Which result: of a step, under a key that follows from its input and settings, made of some content. */
export interface ResultId {
  readonly stage: string;
  readonly key: string;
  /** SHA-256 of the bytes of the original. */
  readonly contentHash: string;
}

/** The objects that a result names, those of files inside the file included. */
export const objectsIn = (value: Record<string, unknown>): string[] =>
  Object.entries(value).flatMap(([name, found]) => {
    if (Array.isArray(found)) return found.flatMap((each) => objectsIn(each as Record<string, unknown>));
    return /object$/i.test(name) && typeof found === 'string' ? [found] : [];
  });

/** A result on its way, and how long it is shared once it is there. */
interface Flight<V extends object> {
  readonly contentHash: string;
  readonly result: Promise<{ readonly value: V; readonly known: boolean }>;
}

const KEPT_MS = 500;
/** Whoever made it went another way and never kept it. */
const FORGOTTEN_MS = 30_000;

/** What steps made before, by group, stage and key. Nothing is ever reused across groups. */
export class ResultStore {
  private readonly flights = new Map<string, Flight<object>>();

  constructor(private readonly database: Database) {}

  /** The result of an earlier step with this key, or of one that is at work on it here, else a new one. */
  async reuse<V extends object>(scope: TenantScope, id: ResultId, make: () => Promise<V>): Promise<Reusable<V>> {
    const name = `${scope.groupId}/${id.stage}/${id.key}`;
    const flight = (this.flights.get(name) as Flight<V> | undefined) ?? this.begin(name, scope, id, make);
    const { value, known } = await flight.result;
    const objects = objectsIn(value as Record<string, unknown>);
    if (known) return { value, objects, keep: (tx) => this.hold(tx, id) };
    return {
      value,
      objects,
      keep: async (tx) => {
        await this.keep(tx, id, value);
        // Others find it in the table once this transaction is over, which is a moment later.
        this.end(name, flight, KEPT_MS);
      },
    };
  }

  /** Looks for the result and makes it where there is none, once for all who ask for it meanwhile. */
  private begin<V extends object>(name: string, scope: TenantScope, id: ResultId, make: () => Promise<V>): Flight<V> {
    const result = this.find<V>(scope, id).then(async (found) =>
      found === undefined ? { value: await make(), known: false } : { value: found, known: true },
    );
    const flight: Flight<V> = { contentHash: id.contentHash, result };
    this.flights.set(name, flight);
    result.then(
      ({ known }) => this.end(name, flight, known ? 0 : FORGOTTEN_MS),
      () => this.end(name, flight, 0),
    );
    return flight;
  }

  private end(name: string, flight: Flight<object>, afterMs: number): void {
    const forget = (): void => {
      if (this.flights.get(name) === flight) this.flights.delete(name);
    };
    if (afterMs === 0) forget();
    else setTimeout(forget, afterMs).unref();
  }

  /**
   * Forgets what was made of contents that no document has any more, or of some steps of them; answers the objects
   * that were named there.
   */
  async forget(tx: Transaction, contentHashes: readonly string[], stages: readonly string[] | null): Promise<string[]> {
    for (const [name, { contentHash }] of this.flights)
      if (contentHashes.includes(contentHash)) this.flights.delete(name);
    const rows = await tx.query<{ value: Record<string, unknown> }>(
      `delete from ingestion.step_result r where r.group_id = $1 and r.content_hash = any($2::text[])
         and (stage = any($3::text[]) or ($3::text[] is null and not exists (
           select from ingestion.document d where d.group_id = $1 and d.content_hash = r.content_hash and d.deleted_at is null)))
       returning value`,
      [tx.groupId, contentHashes, stages],
    );
    return rows.flatMap(({ value }) => objectsIn(value));
  }

  /** Makes sure that a remembered result is still there when it is used, and stays until it is. @throws ResultDiscarded */
  private async hold(tx: Transaction, { stage, key }: ResultId): Promise<void> {
    const held = await tx.prepared(
      `select from ingestion.step_result where group_id = $1 and stage = $2 and key = $3 for key share`,
      [tx.groupId, stage, key],
    );
    if (held.length === 0) throw new ResultDiscarded();
  }

  private find<V extends object>(scope: TenantScope, { stage, key }: ResultId): Promise<V | undefined> {
    return this.database.read(scope, async (tx) => {
      const [row] = await tx.prepared<{ value: V }>(
        `select value from ingestion.step_result where group_id = $1 and stage = $2 and key = $3`,
        [scope.groupId, stage, key],
      );
      return row?.value;
    });
  }

  private async keep(tx: Transaction, { stage, key, contentHash }: ResultId, value: object): Promise<void> {
    await tx.prepared(
      `insert into ingestion.step_result (group_id, stage, key, value, content_hash)
       values ($1, $2, $3, $4::jsonb, $5) on conflict do nothing`,
      [tx.groupId, stage, key, JSON.stringify(value), contentHash],
    );
  }
}
