import { BoundedMap } from './bounded-map';
import type { Statement } from './statement';

const MOST = 8_192;

/**
 * The texts after which a role is not asked again whether it became superuser. `SET ROLE` and its kin are refused by
 * their text, so only text built at run time can leave a role: in a `DO` block, or in a function that executes it.
 *
 * A text is trusted when all of these hold:
 *
 * - It is `plain`: it begins like a query, a change of rows or a transaction, and calls only functions of the engine
 *   that execute nothing. No parameter of it reaches a dynamic statement.
 * - The same role ran the same text before and was asked then, so that what runs behind it (a trigger, a policy, a
 *   view) left the role in place.
 * - No role defined anything since. A definition may put code behind a known text, so it makes all texts unknown.
 * - The role itself has defined nothing since the engine started: a temporary table stands before a table of the same
 *   name, and its trigger before everything that was tried.
 *
 * This guards against mistakes, as the policy does. A role that may define code can become superuser and return within
 * one text, which no question afterwards reveals.
 */
export class PassedStatements {
  private byRole = new Map<string, BoundedMap<Statement, true>>();
  private readonly definers = new Set<string>();

  isTrusted(role: string, statement: Statement): boolean {
    return statement.effect === 'plain' && this.byRole.get(role)?.get(statement) === true;
  }

  /** Notes texts that a role ran and remained what it is. */
  note(role: string, statements: readonly Statement[]): void {
    if (statements.some(({ effect }) => effect === 'defines')) this.distrust(role);
    if (this.definers.has(role)) return;
    const passed = this.byRole.get(role) ?? new BoundedMap<Statement, true>(MOST);
    this.byRole.set(role, passed);
    for (const each of statements) if (each.effect === 'plain') passed.set(each, true);
  }

  /** Asks a role after each of its texts from now on, and every other role after each text once more. */
  distrust(role: string): void {
    this.definers.add(role);
    this.byRole = new Map();
  }
}
