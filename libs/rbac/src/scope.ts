import { ScopeClaims } from '@acervo/contracts';

/**
 * One request of one user: what auth verified, immutable, first argument of everything that touches data. Made by
 * auth and by the verifier of scope tokens, by nobody else, and never kept beyond its request.
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

  /** The claims as auth signed them; forwarded unchanged with each call. Not enumerable, so that no log shows it. */
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

/** Work on behalf of a group, after the request that caused it: what consumers and workers act under. */
export class WorkScope {
  readonly kind = 'work';
  constructor(
    readonly groupId: string,
    readonly service: string,
    /** What caused the work: an event id, a run, a start. For logs and audit. */
    readonly cause: string,
  ) {
    Object.freeze(this);
  }
}

/** Nobody yet: login, registration, verification of a credential. */
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
