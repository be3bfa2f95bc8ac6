import type { Type } from '@nestjs/common';
import type { CallerName, ServiceName } from './services';

/** Under what a call may be sent: a user's request, work on behalf of a group, or nobody yet. */
export type ScopeKind = 'user' | 'work' | 'anonymous';

/** One request that one service answers. A value: both sides import it, nothing else connects them. */
export interface Call<I extends object = object, O extends object = object, K extends ScopeKind = ScopeKind> {
  readonly code: string;
  readonly owner: ServiceName;
  /** What it does to the data of its owner; `forward`: nothing, the call that it sends on has the effect. */
  readonly effect: 'read' | 'write' | 'forward';
  readonly scope: K;
  readonly callers: readonly CallerName[];
  readonly input: Type<I>;
  readonly output: Type<O>;
  /** The longest that a caller waits, in milliseconds. */
  readonly deadlineMs: number;
}

type Declaration<I extends object, O extends object, K extends ScopeKind> = Omit<Call<I, O, K>, 'deadlineMs'> & {
  readonly deadlineMs?: number;
};

const known = new Map<string, Call>();

/** Declares a call. Codes are unique: two calls with one code do not load. */
export const call = <I extends object, O extends object, const K extends ScopeKind>(
  declaration: Declaration<I, O, K>,
): Call<I, O, K> => {
  if (known.has(declaration.code)) throw new Error(`Two calls have the code ${declaration.code}.`);
  const value = Object.freeze({ deadlineMs: 10_000, ...declaration });
  known.set(value.code, value as Call);
  return value;
};

/** All calls that have been declared, by code. */
export const allCalls = (): readonly Call[] => [...known.values()];
