import { Client } from 'pg';
import type { Operation } from './operations';

/** A predicate on the group of the transaction, or one that joins two tables by the group. */
const PREDICATE = /(?:\b\w+\.)?\bgroup_id = (?:(\$\d+)(?:::uuid)?|\w+\.group_id)/g;

/** A condition that is always true, in place of a predicate. It keeps the parameter of the predicate. */
const always = (parameter: string | undefined): string =>
  parameter === undefined ? 'true' : `${parameter}::uuid is not null`;

/** The statement without one of its predicates. */
export const withoutOne = (sql: string, place: number): string => {
  let at = -1;
  return sql.replace(PREDICATE, (found, parameter: string | undefined) =>
    (at += 1) === place ? always(parameter) : found,
  );
};

/** The statement without any group predicate. */
export const withoutAny = (sql: string): string =>
  sql.replace(PREDICATE, (_, parameter: string | undefined) => always(parameter));

/** Number of group predicates in a statement. */
export const predicatesIn = (sql: string): number => sql.match(PREDICATE)?.length ?? 0;

interface Named {
  readonly name?: string;
  readonly text: string;
}

interface Sender {
  readonly connectionParameters: { readonly options?: string; readonly user?: string };
}

/** Roles that work for one group at a time; the other roles have listed rights across groups. */
const ofService = (client: unknown): boolean => (client as Sender).connectionParameters.user?.endsWith('_app') ?? false;

const ofBackground = (client: unknown): boolean =>
  (client as Sender).connectionParameters.options?.includes('acervo.lane=background') ?? false;

/**
 * Intercepts the statements of this process: records the statements of an operation, and mutates them. Background
 * statements and those outside of an operation pass unchanged.
 */
export class Statements {
  /** The operations that send a statement, by its text. */
  readonly seen = new Map<string, Set<string>>();
  /** All original statements of services, in operations or outside of them. */
  readonly sent = new Set<string>();
  private operation: string | undefined;
  private works = false;
  private mutate: ((sql: string) => string) | undefined;
  private round = 0;

  private constructor() {}

  static watch(): Statements {
    const statements = new Statements();
    const prototype = Client.prototype as unknown as { query: (this: unknown, ...args: unknown[]) => unknown };
    const { query } = prototype;
    prototype.query = function (this: unknown, first: unknown, ...rest: unknown[]): unknown {
      if (ofService(this)) statements.sent.add(typeof first === 'string' ? first : (first as Named).text);
      const unasked = ofBackground(this) && !statements.works;
      return query.call(this, unasked ? first : statements.passing(first), ...rest);
    };
    return statements;
  }

  /** Attributes all statements during `work` to an operation. */
  async during<T>({ name, kind }: Operation, work: () => Promise<T>): Promise<T> {
    this.operation = name;
    this.works = kind === 'work';
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
    // A connection caches prepared statements by name.
    return { ...(first as Named), text: sent, ...(name === undefined ? {} : { name: `${name}m${this.round}` }) };
  }

  private changed(sql: string, operation: string): string {
    if (predicatesIn(sql) > 0) this.seen.set(sql, (this.seen.get(sql) ?? new Set()).add(operation));
    return this.mutate?.(sql) ?? sql;
  }
}
