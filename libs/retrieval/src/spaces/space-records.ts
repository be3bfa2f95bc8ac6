import { Injectable } from '@nestjs/common';
import { type Space, NotFound } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { type Scope, visibilityOf } from '@acervo/rbac';
import { ReaderViewStore } from './reader-view.store';
import { mayChange } from '../space-members/space-access';
import { type SpaceRow, SpaceStore } from '../space-members/space.store';

/** Shows spaces as one reader sees them. */
@Injectable()
export class SpaceRecords {
  constructor(
    private readonly spaces: SpaceStore,
    private readonly views: ReaderViewStore,
  ) {}

  async of(tx: Transaction, scope: Scope, rows: readonly SpaceRow[]): Promise<Space[]> {
    if (rows.length === 0) return [];
    const visibility = visibilityOf(scope);
    const ids = rows.map(({ spaceId }) => spaceId);
    const counts = await this.views.counts(tx, visibility, ids);
    const stale = await this.views.stale(tx, visibility, ids);
    return rows.map((row) => ({
      ...{ spaceId: row.spaceId, name: row.name, description: row.description, type: row.type },
      entityCode: row.entityCode,
      // They may name folders and spaces that other readers do not see.
      criteria: mayChange(scope, row) ? row.criteria : null,
      expression: mayChange(scope, row) ? row.expression : null,
      isOwn: row.ownerId === scope.userId,
      documentCount: counts.get(row.spaceId) ?? 0,
      refreshedAt: row.refreshedAt?.toISOString() ?? null,
      isStale: stale.has(row.spaceId),
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
    }));
  }

  /** How many documents a reader sees of a space. */
  async count(tx: Transaction, scope: Scope, spaceId: number): Promise<number> {
    return (await this.views.counts(tx, visibilityOf(scope), [spaceId])).get(spaceId) ?? 0;
  }

  /** The present record of a space that the caller has just changed or read. @throws NotFound for one that is gone */
  async one(tx: Transaction, scope: Scope, spaceId: number): Promise<Space> {
    const row = await this.spaces.find(tx, spaceId);
    const [record] = row === undefined ? [] : await this.of(tx, scope, [row]);
    if (record === undefined) throw new NotFound();
    return record;
  }
}
