import { Injectable } from '@nestjs/common';
import { Database, type TenantScope } from '@acervo/platform-database';
import type { Holder } from '../credentials/credential.store';
import { type Focus, focusOf, isStale } from './focus';
import { FocusStore } from './focus.store';

/** A focus with the folders that it reaches now. */
export interface ResolvedFocus extends Focus {
  /** Null without a restriction; empty when there are too many to list, or when the focus is stale. */
  readonly locationRoots: readonly string[] | null;
  readonly locationRootsHash?: string;
  readonly focusIsStale: boolean;
}

/** Resolves the focus of a credential, in the same way for keys, sessions and the routes that show it. */
@Injectable()
export class FocusReader {
  constructor(
    private readonly database: Database,
    private readonly store: FocusStore,
  ) {}

  /** A stale focus reaches no folder. Nothing is visible even to code that does not check for staleness. */
  async resolve(group: TenantScope, holder: Holder): Promise<ResolvedFocus> {
    const focus = focusOf(holder);
    const { effectiveArea: area } = focus;
    if (area === null) {
      const focusIsStale = isStale(holder, { effective: null, fixed: null });
      return { ...focus, locationRoots: focusIsStale ? [] : null, focusIsStale };
    }
    const reach = await this.database.readAtOnce(group, (tx) => this.store.reach(tx, area, holder.fixedArea));
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
