import { Injectable } from '@nestjs/common';
import { type AreaList, type AreaListRequest, listVisibleAreas } from '@acervo/contracts';
import { Cursors, Handles, pageOf } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import { entityOf, type Scope } from '@acervo/rbac';
import { AreaStore } from './area.store';

/** The areas under which the caller sees documents: those of its focus, even for an administrator of more. */
@Injectable()
export class VisibleAreasHandlers {
  constructor(
    private readonly database: Database,
    private readonly cursors: Cursors,
    private readonly areas: AreaStore,
  ) {}

  @Handles(listVisibleAreas)
  async list(scope: Scope, { entityCode, parentCode, query, limit, cursor }: AreaListRequest): Promise<AreaList> {
    const listing = { call: listVisibleAreas, scope, filters: { entityCode, parentCode, query } };
    const after = this.cursors.open(listing, cursor);
    const branch = { entityCode: entityOf(scope, entityCode), root: scope.effectiveArea };
    return this.database.read(scope, async (tx) => {
      if (parentCode !== undefined) await this.areas.item(tx, branch, parentCode);
      const rows = await this.areas.list(tx, { ...branch, parentCode, query, after, limit: limit + 1 });
      const { items, nextCursor } = pageOf(rows, limit, (code) => this.cursors.seal(listing, code));
      return { areas: items, nextCursor };
    });
  }
}
