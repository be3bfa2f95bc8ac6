import { Injectable } from '@nestjs/common';
import { type AreaList, type AreaListRequest, listVisibleAreas } from '@acervo/contracts';
import { Cursors, Handles, pageOf } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import { entityOf, isInFocus, type Scope } from '@acervo/rbac';
import { OwnEntities } from '../focus/own-entities';
import { AreaStore } from './area.store';

/**
 * The areas under which the caller sees documents: those of its focus, even for an administrator of more, or those of
 * another own entity that the request names.
 */
@Injectable()
export class VisibleAreasHandlers {
  constructor(
    private readonly database: Database,
    private readonly cursors: Cursors,
    private readonly areas: AreaStore,
    private readonly entities: OwnEntities,
  ) {}

  @Handles(listVisibleAreas)
  async list(scope: Scope, { entityCode, parentCode, query, limit, cursor }: AreaListRequest): Promise<AreaList> {
    const listing = { call: listVisibleAreas, scope, filters: { entityCode, parentCode, query } };
    const after = this.cursors.open(listing, cursor);
    const branch = await this.branch(scope, entityCode);
    return this.database.read(scope, async (tx) => {
      if (parentCode !== undefined) await this.areas.item(tx, branch, parentCode);
      const rows = await this.areas.list(tx, { ...branch, parentCode, query, after, limit: limit + 1 });
      const { items, nextCursor } = pageOf(rows, limit, (code) => this.cursors.seal(listing, code));
      return { areas: items, nextCursor };
    });
  }

  private async branch(scope: Scope, named: string | undefined): Promise<{ entityCode: string; root: string | null }> {
    if (named === undefined || isInFocus(scope, named))
      return { entityCode: entityOf(scope, named), root: scope.effectiveArea };
    return { entityCode: named, root: await this.entities.areaIn(scope, named) };
  }
}
