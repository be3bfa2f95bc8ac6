import type { Caller } from './support';

/** One route, with a request that succeeds and requests that fail. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The declared path. */
  readonly path: string;
  /** The lowest caller that may use it. */
  readonly by: Extract<Caller, 'admin' | 'system'>;
  readonly status: number;
  /** A request that succeeds, in the order of this table: the path of the example, and its body. */
  readonly at: string;
  readonly body?: unknown;
  /** A request that fails validation. Absent for a route where every text is a possible code. */
  readonly invalid?: { readonly at?: string; readonly body?: unknown };
  /** The same for a code of G1 that G2 lacks, and for a code that no group has. */
  readonly hidden?: { readonly theirs: string; readonly nobodys: string; readonly body?: unknown };
}
