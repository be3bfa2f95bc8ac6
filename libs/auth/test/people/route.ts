import type { Caller } from './support';

/** One pair, with what makes it succeed and what makes it fail. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** As it is declared. */
  readonly path: string;
  /** The lowest caller that it lets in. */
  readonly by: Extract<Caller, 'admin' | 'system'>;
  readonly status: number;
  /** What succeeds, in the order of this table; the path of the example, and its body. */
  readonly at: string;
  readonly body?: unknown;
  /** A request that fails validation. Absent where every text is a possible code. */
  readonly invalid?: { readonly at?: string; readonly body?: unknown };
  /** The same for something that G1 has and G2 has not, and for something that nobody has. */
  readonly hidden?: { readonly theirs: string; readonly nobodys: string; readonly body?: unknown };
}
