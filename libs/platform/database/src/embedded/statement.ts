import { BoundedMap } from './bounded-map';
import { type Effect, effectOf } from './statement-effect';
import { listenOf, refusalOf, type Subscription } from './statement-policy';

/** What the multiplexer knows about a text before it runs. */
export interface Statement {
  /** Why it is refused, or undefined. */
  readonly refusal: string | undefined;
  readonly listen: Subscription | undefined;
  readonly effect: Effect;
  /** Where it stands to a transaction: in front of it, behind it, or anywhere. */
  readonly place: 'opens' | 'closes' | 'any';
}

/** What a client runs without a text that is known: a function by its number, a statement of an earlier batch. */
export const UNKNOWN: Statement = { refusal: undefined, listen: undefined, effect: 'calls', place: 'any' };

const MOST = 4_096;
/** Longer texts contain their values; they are not repeated. */
const LONGEST = 8_192;

const placeOf = (sql: string): Statement['place'] => {
  if (/^\s*begin\b/i.test(sql)) return 'opens';
  return /^(?:commit|rollback) ?;?$/i.test(sql.trim()) ? 'closes' : 'any';
};

/** Reads texts once: services repeat a few hundred of them. */
export class Statements {
  private readonly cached = new BoundedMap<string, Statement>(MOST);

  of(sql: string): Statement {
    return this.cached.get(sql) ?? this.read(sql);
  }

  private read(sql: string): Statement {
    const statement = { refusal: refusalOf(sql), listen: listenOf(sql), effect: effectOf(sql), place: placeOf(sql) };
    return sql.length > LONGEST ? statement : this.cached.set(sql, statement);
  }
}
