import { Injectable } from '@nestjs/common';
import { BackgroundDatabase, type TenantScope, type Transaction } from '@acervo/platform-database';

/** A result, and the function that remembers it in the transaction that uses it. */
export interface Reusable<V extends object> {
  readonly value: V;
  /** The objects that it names: no row names them until the result is used. */
  readonly objects: readonly string[];
  keep(tx: Transaction): Promise<void>;
}

/** The result was discarded between its reuse and its commit, with its objects. The step is repeated. */
export class ResultDiscarded extends Error {
  constructor() {
    super('A remembered result was discarded while it was about to be used; the step is done again.');
    this.name = 'ResultDiscarded';
  }
}

/** Identifies a result: a step, a key of its input and settings, and the content. */
export interface ResultId {
  readonly stage: string;
  readonly key: string;
  /** SHA-256 of the bytes of the original. */
  readonly contentHash: string;
}

/** The objects that a result names, including those of attachments. */
export const objectsIn = (value: Record<string, unknown>): string[] =>
  Object.entries(value).flatMap(([name, found]) => {
    if (Array.isArray(found)) return found.flatMap((each) => objectsIn(each as Record<string, unknown>));
    return /object$/i.test(name) && typeof found === 'string' ? [found] : [];
  });

/** A result that is being made, and shared for a while afterwards. */
interface Flight<V extends object> {
  readonly contentHash: string;
  readonly result: Promise<{ readonly value: V; readonly isStored: boolean }>;
}

const KEPT_MS = 500;
/** The step that made it may never commit it. */
const FORGOTTEN_MS = 30_000;

/** Earlier results of steps, by group, stage and key. Results are never reused across groups. */
@Injectable()
export class ResultStore {
  private readonly flights = new Map<string, Flight<object>>();

  constructor(private readonly database: BackgroundDatabase) {}

  /** The stored result with this key, or the one that this process is making, otherwise a new one. */
  async reuse<V extends object>(scope: TenantScope, id: ResultId, make: () => Promise<V>): Promise<Reusable<V>> {
    const name = `${scope.groupId}/${id.stage}/${id.key}`;
    const flight = (this.flights.get(name) as Flight<V> | undefined) ?? this.begin(name, scope, id, make);
    const { value, isStored } = await flight.result;
    const objects = objectsIn(value as Record<string, unknown>);
    if (isStored) return { value, objects, keep: (tx) => this.lockForUpdate(tx, id) };
    return {
      value,
      objects,
      keep: async (tx) => {
        await this.keep(tx, id, value);
        // Other readers find it in the table after the commit, which follows a moment later.
        this.end(name, flight, KEPT_MS);
      },
    };
  }

  /** Looks for the result and makes it where it is absent, once for all concurrent callers. */
  private begin<V extends object>(name: string, scope: TenantScope, id: ResultId, make: () => Promise<V>): Flight<V> {
    const result = this.find<V>(scope, id).then(async (found) =>
      found === undefined ? { value: await make(), isStored: false } : { value: found, isStored: true },
    );
    const flight: Flight<V> = { contentHash: id.contentHash, result };
    this.flights.set(name, flight);
    result.then(
      ({ isStored }) => this.end(name, flight, isStored ? 0 : FORGOTTEN_MS),
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
   * Deletes the results of contents that no document has any longer, or of some steps of them; answers the objects that
   * they named.
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

  /** Locks a remembered result until the end of the transaction that uses it. @throws ResultDiscarded */
  private async lockForUpdate(tx: Transaction, { stage, key }: ResultId): Promise<void> {
    const locked = await tx.prepared(
      `select from ingestion.step_result where group_id = $1 and stage = $2 and key = $3 for key share`,
      [tx.groupId, stage, key],
    );
    if (locked.length === 0) throw new ResultDiscarded();
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
