import type { Type } from '@nestjs/common';
import type { CallerName, ServiceName } from './services';

/** The scope of a call: a request of a user, work on behalf of a group, or no user yet. */
export type ScopeKind = 'user' | 'work' | 'anonymous';

/** One request that one service answers. A call is a value; both sides import it. */
export interface Call<I extends object = object, O extends object = object, K extends ScopeKind = ScopeKind> {
  readonly code: string;
  readonly owner: ServiceName;
  /** The effect on data of the owner. `forward`: none itself; the call that it forwards has the effect. */
  readonly effect: 'read' | 'write' | 'forward';
  readonly scope: K;
  readonly callers: readonly CallerName[];
  /** `group`: it concerns the group as a whole, so its owner refuses a key that is fixed to a part of it. */
  readonly reach: 'group' | 'part';
  /** Which of its writes are audited. `none`: bookkeeping between services, which no user asks for. */
  readonly audit: 'each' | 'none';
  readonly input: Type<I>;
  readonly output: Type<O>;
  /** The longest wait of a caller, in milliseconds. */
  readonly deadlineMs: number;
}

type Declaration<I extends object, O extends object, K extends ScopeKind> = Omit<
  Call<I, O, K>,
  'deadlineMs' | 'reach' | 'audit'
> & {
  readonly deadlineMs?: number;
  readonly reach?: Call['reach'];
  readonly audit?: Call['audit'];
};

const calls = new Map<string, Call>();

/** Registers a frozen call. @throws for a code that another call has, and for one of users that is not audited */
export const register = <C extends Call>(declared: C): C => {
  if (declared.audit === 'none' && declared.scope !== 'work')
    throw new Error(`${declared.code} is no work of a service; audit each of its writes.`);
  if (calls.has(declared.code)) throw new Error(`Two calls have the code ${declared.code}.`);
  calls.set(declared.code, declared);
  return declared;
};

/** Declares a call between services. Programs and agents execute an `operation` instead. */
export const call = <I extends object, O extends object, const K extends ScopeKind>(
  declaration: Declaration<I, O, K>,
): Call<I, O, K> =>
  register(Object.freeze({ deadlineMs: 10_000, reach: 'part' as const, audit: 'each' as const, ...declaration }));

/** All declared calls, operations included. */
export const allCalls = (): readonly Call[] => [...calls.values()];
