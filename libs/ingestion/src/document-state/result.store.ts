import { Injectable } from '@nestjs/common';
import { BackgroundDatabase, type TenantScope, type Transaction } from '@acervo/platform-database';
import { type ResultId, ResultLookup, resultName } from './result-lookup';

export type { ResultId } from './result-lookup';

/** A result to remember in the transaction that uses it. */
export interface UsedResult {
  readonly id: ResultId;
  readonly value: object;
  /** Whether it is remembered already. */
  readonly isStored: boolean;
  /** Called in the transaction that remembers it. */
  remembered(): void;
}

/** A result, and what remembers it in the transaction that uses it. */
export interface Reusable<V extends object> {
  readonly value: V;
  /** The objects that it names: no row names them until the result is used. */
  readonly objects: readonly string[];
  readonly used: UsedResult;
}

/** The result was discarded between its reuse and its commit, with its objects. The step is repeated. */
export class ResultDiscarded extends Error {
  constructor() {
    super('A remembered result was discarded while it was about to be used; the step is done again.');
    this.name = 'ResultDiscarded';
  }
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

/** A result that was looked up before its step asked for it. */
interface Expected {
  readonly contentHash: string;
  readonly found: Promise<object | undefined>;
}

/** Earlier results of steps, by group, stage and key. Results are never reused across groups. */
@Injectable()
export class ResultStore {
  private readonly flights = new Map<string, Flight<object>>();
  private readonly expected = new Map<string, Expected>();
  private readonly lookup: ResultLookup;

  constructor(database: BackgroundDatabase) {
    this.lookup = new ResultLookup(database);
  }

  /**
   * Looks results up in one query, for steps that ask for them next. The answers are used within the time that other
   * documents share a result after its commit, so that none is made twice.
   */
  expect(scope: TenantScope, ids: readonly ResultId[]): void {
    for (const id of ids) {
      const name = resultName(scope, id);
      if (this.expected.has(name) || this.flights.has(name)) continue;
      const found = this.lookup.find(scope, id);
      // The step that asks for it gets the error.
      found.catch(() => undefined);
      const expected = { contentHash: id.contentHash, found };
      this.expected.set(name, expected);
      setTimeout(() => {
        if (this.expected.get(name) === expected) this.expected.delete(name);
      }, KEPT_MS).unref();
    }
  }

  /** The stored result with this key, or the one that this process is making, otherwise a new one. */
  async reuse<V extends object>(scope: TenantScope, id: ResultId, make: () => Promise<V>): Promise<Reusable<V>> {
    const name = resultName(scope, id);
    const flight = (this.flights.get(name) as Flight<V> | undefined) ?? this.begin(name, scope, id, make);
    const { value, isStored } = await flight.result;
    const objects = objectsIn(value as Record<string, unknown>);
    // Other readers find it in the table after the commit, which follows a moment later.
    const remembered = (): void => (isStored ? undefined : this.end(name, flight, KEPT_MS));
    const used: UsedResult = { id, value, isStored, remembered };
    return { value, objects, used };
  }

  /** Looks for the result and makes it where it is absent, once for all concurrent callers. */
  private begin<V extends object>(name: string, scope: TenantScope, id: ResultId, make: () => Promise<V>): Flight<V> {
    const result = this.find(scope, name, id).then(async (found) =>
      found === undefined ? { value: await make(), isStored: false } : { value: found as V, isStored: true },
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
    for (const results of [this.flights, this.expected])
      for (const [name, { contentHash }] of results) if (contentHashes.includes(contentHash)) results.delete(name);
    const rows = await tx.query<{ value: Record<string, unknown> }>(
      `delete from ingestion.step_result r where r.group_id = $1 and r.content_hash = any($2::text[])
         and (stage = any($3::text[]) or ($3::text[] is null and not exists (
           select from ingestion.document d where d.group_id = $1 and d.content_hash = r.content_hash and d.deleted_at is null)))
       returning value`,
      [tx.groupId, contentHashes, stages],
    );
    return rows.flatMap(({ value }) => objectsIn(value));
  }

  /**
   * Remembers results in the transaction that uses them, and locks those that are remembered already until its end.
   * @throws ResultDiscarded
   */
  async keep(tx: Transaction, used: readonly UsedResult[]): Promise<void> {
    const stored = new Map(used.filter(({ isStored }) => isStored).map((each) => [JSON.stringify(each.id), each.id]));
    if (stored.size > 0) await this.lockForUpdate(tx, [...stored.values()]);
    const made = used.filter(({ isStored }) => !isStored);
    if (made.length > 0) await this.insert(tx, made);
    for (const { remembered } of made) remembered();
  }

  private async lockForUpdate(tx: Transaction, ids: readonly ResultId[]): Promise<void> {
    const locked = await tx.prepared(
      `select from ingestion.step_result r, unnest($2::text[], $3::text[]) as given (stage, key)
       where r.group_id = $1 and r.stage = given.stage and r.key = given.key for key share of r`,
      [tx.groupId, ids.map(({ stage }) => stage), ids.map(({ key }) => key)],
    );
    if (locked.length < ids.length) throw new ResultDiscarded();
  }

  private find(scope: TenantScope, name: string, id: ResultId): Promise<object | undefined> {
    const expected = this.expected.get(name);
    this.expected.delete(name);
    return expected?.found ?? this.lookup.find(scope, id);
  }

  private async insert(tx: Transaction, made: readonly UsedResult[]): Promise<void> {
    const rows = made.map(({ id, value }) => ({ ...id, value }));
    await tx.prepared(
      `insert into ingestion.step_result (group_id, stage, key, value, content_hash)
       select $1::uuid, stage, key, value, "contentHash"
       from jsonb_to_recordset($2::jsonb) as given (stage text, key text, value jsonb, "contentHash" text)
       on conflict do nothing`,
      [tx.groupId, JSON.stringify(rows)],
    );
  }
}
