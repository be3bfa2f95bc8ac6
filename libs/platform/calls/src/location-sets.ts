import { type Empty, type LocationRoots, locationRootsOfScope } from '@acervo/contracts';
import type { Scope } from '@acervo/rbac';

/** Asks auth for the folders of a scope. */
interface RootsSource {
  send(call: typeof locationRootsOfScope, scope: Scope, input: Empty): Promise<LocationRoots>;
}

/** Folders cached in all; the least recently used sets are evicted first. */
const MOST_KEPT = 500_000;

/**
 * Caches the folders of scopes that contain only their hash. Auth is asked once per set. A changed set has another
 * hash, so the cache never goes stale.
 */
export class LocationSets {
  private readonly sets = new Map<string, readonly string[]>();
  private size = 0;

  constructor(private readonly calls: RootsSource) {}

  /** The scope with its folders. */
  async complete(scope: Scope): Promise<Scope> {
    const { locationRootsHash: hash } = scope;
    return hash === undefined ? scope : scope.completedWith(await this.rootsOf(scope, hash));
  }

  private async rootsOf(scope: Scope, hash: string): Promise<readonly string[]> {
    const name = (of: string): string => `${scope.groupId} ${of}`;
    const sets = this.sets.get(name(hash));
    if (sets !== undefined) return this.keep(name(hash), sets);
    // The set may have changed since the request began: the current one is correct, and is cached under its own hash.
    const current = await this.calls.send(locationRootsOfScope, scope, {});
    return this.keep(name(current.hash), current.roots);
  }

  private keep(name: string, roots: readonly string[]): readonly string[] {
    this.forget(name);
    this.sets.set(name, roots);
    this.size += roots.length;
    for (const oldest of this.sets.keys()) {
      if (this.size <= MOST_KEPT || oldest === name) break;
      this.forget(oldest);
    }
    return roots;
  }

  private forget(name: string): void {
    this.size -= this.sets.get(name)?.length ?? 0;
    this.sets.delete(name);
  }
}
