import { locationRootsOfScope } from '@acervo/contracts';
import type { Scope } from '@acervo/rbac';
import type { Calls } from './calls';

/** Folders that are kept in all; the sets that were asked for longest ago go first. */
const MOST_KEPT = 500_000;

/**
 * The folders of scopes that carry their hash only. Auth is asked once for each set: a set that changes has another
 * hash, so what is kept never goes stale.
 */
export class LocationSets {
  private readonly known = new Map<string, readonly string[]>();
  private kept = 0;

  constructor(private readonly calls: Pick<Calls, 'send'>) {}

  /** The scope with its folders. */
  async complete(scope: Scope): Promise<Scope> {
    const { locationRootsHash: hash } = scope;
    return hash === undefined ? scope : scope.completedWith(await this.rootsOf(scope, hash));
  }

  private async rootsOf(scope: Scope, hash: string): Promise<readonly string[]> {
    const name = (of: string): string => `${scope.groupId} ${of}`;
    const known = this.known.get(name(hash));
    if (known !== undefined) return this.keep(name(hash), known);
    // The set may have changed since the request began: what is there now is both true and kept under its own hash.
    const current = await this.calls.send(locationRootsOfScope, scope, {});
    return this.keep(name(current.hash), current.roots);
  }

  private keep(name: string, roots: readonly string[]): readonly string[] {
    this.forget(name);
    this.known.set(name, roots);
    this.kept += roots.length;
    for (const oldest of this.known.keys()) {
      if (this.kept <= MOST_KEPT || oldest === name) break;
      this.forget(oldest);
    }
    return roots;
  }

  private forget(name: string): void {
    this.kept -= this.known.get(name)?.length ?? 0;
    this.known.delete(name);
  }
}
