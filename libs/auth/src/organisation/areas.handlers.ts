import { Injectable } from '@nestjs/common';
import {
  type AreaDeleted,
  areaDependencies,
  type AreaDependencies,
  type AreaItem,
  type AreaList,
  type AreaListRequest,
  type AreaReference,
  type AreaUpdate,
  createArea,
  deleteArea,
  InvalidMeaning,
  listAreas,
  type NewArea,
  NotFound,
  updateArea,
} from '@acervo/contracts';
import { Cursors, Handles, pageOf, type WriteContext } from '@acervo/platform-calls';
import { countSelected, Database, type Transaction } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { selectAffected } from './area-dependents';
import { AreaLocationStore } from './area-location.store';
import { type AreaPlace, AreaStore, DEEPEST } from './area.store';
import { OrganisationConflict } from '../kernel/auth.errors';
import { blocked, totalOf } from './dependencies';
import { Folders } from './folders';
import { Reach } from './reach';

/** How many links are read to count the documents behind them. */
const MOST_LINKS = 10_000;

/** The trees of areas: what entities are divided into. */
@Injectable()
export class AreasHandlers {
  constructor(
    private readonly database: Database,
    private readonly folders: Folders,
    private readonly cursors: Cursors,
    private readonly areas: AreaStore,
    private readonly links: AreaLocationStore,
  ) {}

  @Handles(listAreas)
  list(scope: Scope, { entityCode, parentCode, query, limit, cursor }: AreaListRequest): Promise<AreaList> {
    const listing = { call: listAreas, scope, filters: { entityCode, parentCode, query } };
    const after = this.cursors.open(listing, cursor);
    return this.database.read(scope, async (tx) => {
      const reach = await Reach.of(tx, scope);
      const entity = reach.resolve(entityCode);
      const branch = { entityCode: entity, root: reach.within(entity) };
      await this.areas.assertEntity(tx, entity);
      if (parentCode !== undefined) await this.areas.item(tx, branch, parentCode);
      const rows = await this.areas.list(tx, { ...branch, parentCode, query, after, limit: limit + 1 });
      const { items, nextCursor } = pageOf(rows, limit, (code) => this.cursors.seal(listing, code));
      return { areas: items, nextCursor };
    });
  }

  @Handles(createArea)
  create(
    scope: Scope,
    { entityCode, name, code, parentCode = null }: NewArea,
    context: WriteContext,
  ): Promise<AreaItem> {
    return context.write(async (tx) => {
      const reach = await Reach.of(tx, scope);
      const entity = reach.resolve(entityCode);
      const root = reach.within(entity);
      await this.areas.lockTree(tx, entity);
      if (parentCode === null) reach.assertWholeEntity(entity);
      else this.assertFits(await this.parentIn(tx, reach, entity, parentCode), 1);
      const made = await this.areas.create(tx, { entityCode: entity, name, code, parentCode });
      context.concerns({ target: `area:${made}` });
      return this.areas.item(tx, { entityCode: entity, root }, made);
    });
  }

  /** @throws InvalidMeaning for a request that changes nothing. */
  @Handles(updateArea)
  update(scope: Scope, { areaCode, name, parentCode }: AreaUpdate, context: WriteContext): Promise<AreaItem> {
    if (name === undefined && parentCode === undefined) throw new InvalidMeaning(['name', 'parent_code']);
    return context.write(async (tx) => {
      const reach = await Reach.of(tx, scope);
      const place = await this.areas.lock(tx, reach, areaCode);
      if (parentCode !== undefined) await this.move(tx, reach, place, parentCode);
      if (name !== undefined) await this.areas.rename(tx, areaCode, name);
      return this.areas.item(tx, { entityCode: place.entityCode, root: reach.within(place.entityCode) }, areaCode);
    });
  }

  @Handles(deleteArea)
  async delete(scope: Scope, { areaCode }: AreaReference, context: WriteContext): Promise<AreaDeleted> {
    const { documents } = await this.dependencies(scope, { areaCode });
    return context.write(async (tx) => {
      const reach = await Reach.of(tx, scope);
      const place = await this.areas.lock(tx, reach, areaCode);
      this.assertNotRoot(reach, place);
      const counts = await countSelected(tx, selectAffected(tx, areaCode));
      if (totalOf(counts) > 0) throw blocked({ ...counts, documents });
      await this.areas.delete(tx, areaCode);
      return { areaCode, deleted: true };
    });
  }

  @Handles(areaDependencies)
  async dependencies(scope: Scope, { areaCode }: AreaReference): Promise<AreaDependencies> {
    const { counts, linked } = await this.database.read(scope, async (tx) => {
      await this.areas.place(tx, await Reach.of(tx, scope), areaCode);
      const linked = await this.links.list(tx, areaCode, null, MOST_LINKS);
      return { counts: await countSelected(tx, selectAffected(tx, areaCode)), linked };
    });
    const { documents } = await this.folders.count(scope, { locationCodes: linked.map(({ code }) => code) });
    return { areaCode, ...counts, documents, total: totalOf({ ...counts, documents }) };
  }

  private async move(tx: Transaction, reach: Reach, place: AreaPlace, parentCode: string | null): Promise<void> {
    this.assertNotRoot(reach, place);
    if (parentCode === null) reach.assertWholeEntity(place.entityCode);
    else {
      const parent = await this.parentIn(tx, reach, place.entityCode, parentCode);
      if (parent.above.includes(place.code)) throw new OrganisationConflict('PARENT_BELOW');
      this.assertFits(parent, await this.areas.height(tx, place.code));
    }
    await this.areas.move(tx, place.code, parentCode);
  }

  /** @throws NotFound for a parent of another entity, exactly as for a missing one. */
  private async parentIn(tx: Transaction, reach: Reach, entityCode: string, code: string): Promise<AreaPlace> {
    const parent = await this.areas.place(tx, reach, code);
    if (parent.entityCode !== entityCode) throw new NotFound();
    return parent;
  }

  /** A caller that reaches the entity only from this area down may neither move nor delete the area. */
  private assertNotRoot(reach: Reach, { isRoot, entityCode }: AreaPlace): void {
    if (isRoot) reach.assertWholeEntity(entityCode);
  }

  private assertFits(parent: AreaPlace, height: number): void {
    if (parent.above.length + height > DEEPEST) throw new OrganisationConflict('TOO_DEEP', { most: DEEPEST });
  }
}
