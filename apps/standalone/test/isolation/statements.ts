import { Client } from 'pg';

/** A predicate on the group of the transaction, and one that ties a table to another by the group. */
const OWN = /(?:\b\w+\.)?group_id = (\$\d+)(?:::uuid)?/g;
const TIED = /\b\w+\.group_id = \w+\.group_id/g;

/** What is changed in a statement before it is sent. */
export interface Mutation {
  readonly from: string;
  readonly to: string;
}

/** The statement without one of its predicates: its parameter stays where it is. */
export const withoutOne = (sql: string, place: number): string => {
  let at = -1;
  return sql.replace(OWN, (found, parameter: string) =>
    (at += 1) === place ? `${parameter}::uuid is not null` : found,
  );
};

/** The statement without anything that names a group. */
export const withoutAny = (sql: string): string =>
  sql.replace(OWN, (_, parameter: string) => `${parameter}::uuid is not null`).replace(TIED, 'true');

/** How many predicates on the group a statement has. */
export const predicatesIn = (sql: string): number => sql.match(OWN)?.length ?? 0;

interface Named {
  readonly name?: string;
  readonly text: string;
}

interface Sender {
  readonly connectionParameters: { readonly options?: string };
}

const ofBackground = (client: unknown): boolean =>
  (client as Sender).connectionParameters.options?.includes('acervo.lane=background') ?? false;

/**
 * Stands where statements leave this process: notes what an operation sends, and changes it. What nobody waits for, and
 * what is sent outside of an operation, passes as it is.
 */
export class Statements {
  /** The operations that send a statement, by its text. */
  readonly seen = new Map<string, Set<string>>();
  private operation: string | undefined;
  private mutate: ((sql: string) => string) | undefined;
  private round = 0;

  private constructor() {}

  static watch(): Statements {
    const statements = new Statements();
    const prototype = Client.prototype as unknown as { query: (this: unknown, ...given: unknown[]) => unknown };
    const { query } = prototype;
    prototype.query = function (this: unknown, first: unknown, ...rest: unknown[]): unknown {
      return query.call(this, ofBackground(this) ? first : statements.passing(first), ...rest);
    };
    return statements;
  }

  /** Whatever is sent meanwhile belongs to an operation. */
  async during<T>(operation: string, work: () => Promise<T>): Promise<T> {
    this.operation = operation;
    try {
      return await work();
    } finally {
      this.operation = undefined;
    }
  }

  async mutated<T>(mutate: (sql: string) => string, work: () => Promise<T>): Promise<T> {
    this.mutate = mutate;
    this.round += 1;
    try {
      return await work();
    } finally {
      this.mutate = undefined;
    }
  }

  private passing(first: unknown): unknown {
    if (this.operation === undefined) return first;
    if (typeof first === 'string') return this.changed(first, this.operation);
    const { name, text } = first as Named;
    const sent = this.changed(text, this.operation);
    if (sent === text) return first;
    // A connection keeps what was prepared under a name.
    return { ...(first as Named), text: sent, ...(name === undefined ? {} : { name: `${name}m${this.round}` }) };
  }

  private changed(sql: string, operation: string): string {
    if (predicatesIn(sql) > 0) this.seen.set(sql, (this.seen.get(sql) ?? new Set()).add(operation));
    return this.mutate?.(sql) ?? sql;
  }
}
