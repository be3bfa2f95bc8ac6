import { ScopeClaims } from '@acervo/contracts';

/**
 * One request of one user, as auth verified it. Immutable, and the first argument of everything that touches data. Only
 * auth and the verifier of scope tokens create it, and no code keeps it beyond its request.
 */
export class Scope extends ScopeClaims {
  readonly kind = 'user';
  readonly #token: string;

  constructor(claims: ScopeClaims, token: string) {
    super();
    Object.assign(this, claims);
    this.#token = token;
    Object.freeze(this);
  }

  /** The claims as auth signed them, forwarded unchanged with each call. Not enumerable, so that logs never show it. */
  get token(): string {
    return this.#token;
  }

  /** False where the scope carries the hash of its folders instead of the folders. */
  get isComplete(): boolean {
    return this.locationRootsHash === undefined;
  }

  /** The same scope with the folders behind its hash. */
  completedWith(locationRoots: readonly string[]): Scope {
    return new Scope({ ...this, locationRoots, locationRootsHash: undefined } as ScopeClaims, this.#token);
  }
}

/** Work on behalf of a group, after the request that caused it. Consumers and workers run under it. */
export class WorkScope {
  readonly kind = 'work';
  constructor(
    readonly groupId: string,
    readonly service: string,
    /** What caused the work: an event id, a run, a start. For logs and audit. */
    readonly cause: string,
    /** Overtakes all backlog: for a few pieces that have just arrived. */
    readonly urgent = false,
  ) {
    Object.freeze(this);
  }
}

/** No user yet: login, registration, verification of a credential. */
export class Anonymous {
  readonly kind = 'anonymous';
  constructor() {
    Object.freeze(this);
  }
}

export const anonymous = new Anonymous();

export type AnyScope = Scope | WorkScope | Anonymous;

/** The scope class that belongs to a scope kind of a call. */
export interface ScopeOf {
  readonly user: Scope;
  readonly work: WorkScope;
  readonly anonymous: Anonymous;
}
