import type { Database, TenantScope } from '@acervo/platform-database';
import type { Holder } from '../verification/credential.store';
import { type Focus, focusOf, isStale } from './focus';
import type { FocusStore } from './focus.store';

/** A focus with the folders that it reaches now. */
export interface ResolvedFocus extends Focus {
  /** Null where nothing restricts; none where there are too many to list, or where the focus is stale. */
  readonly locationRoots: readonly string[] | null;
  readonly locationRootsHash?: string;
  readonly focusIsStale: boolean;
}

/** Finds out where the focus of a credential lies, the one way for keys, sessions and whoever shows it. */
export class FocusReader {
  constructor(
    private readonly database: Database,
    private readonly store: FocusStore,
  ) {}

  /** Under a stale focus no folder is reached, so that nothing is seen even where nobody asks whether it is stale. */
  async resolve(group: TenantScope, holder: Holder): Promise<ResolvedFocus> {
    const focus = focusOf(holder);
    const { effectiveArea: area } = focus;
    if (area === null) {
      const focusIsStale = isStale(holder, { effective: null, fixed: null });
      return { ...focus, locationRoots: focusIsStale ? [] : null, focusIsStale };
    }
    const reach = await this.database.read(group, (tx) => this.store.reach(tx, area, holder.fixedArea));
    if (isStale(holder, reach)) return { ...focus, locationRoots: [], focusIsStale: true };
    const { roots, hash } = reach;
    return {
      ...focus,
      locationRoots: roots,
      ...(hash === null ? {} : { locationRootsHash: hash }),
      focusIsStale: false,
    };
  }
}
