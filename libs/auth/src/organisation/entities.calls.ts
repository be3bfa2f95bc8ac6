import {
  createEntity,
  deleteEntity,
  type EntityDeleted,
  entityDependencies,
  type EntityDependencies,
  type EntityItem,
  type EntityList,
  type EntityListRequest,
  type EntityReference,
  type EntityUpdate,
  listEntities,
  type NewEntity,
  updateEntity,
} from '@acervo/contracts';
import { type Cursors, Handles, pageOf, type WriteContext } from '@acervo/platform-calls';
import type { Database } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { blocked, totalOf } from './dependencies';
import { EntityStore } from './entity.store';
import type { Folders } from './folders';
import { Reach } from './reach';

/** The entities that a group is divided into. */
export class EntitiesCalls {
  private readonly entities = new EntityStore();

  constructor(
    private readonly database: Database,
    private readonly folders: Folders,
    private readonly cursors: Cursors,
  ) {}

  @Handles(listEntities)
  list(scope: Scope, { query, limit, cursor }: EntityListRequest): Promise<EntityList> {
    const listing = { call: listEntities, scope, filters: { query } };
    const after = this.cursors.open(listing, cursor);
    return this.database.read(scope, async (tx) => {
      const rows = await this.entities.list(tx, await Reach.of(tx, scope), { query, after, limit: limit + 1 });
      const { items, nextCursor } = pageOf(rows, limit, (code) => this.cursors.seal(listing, code));
      return { entities: items, nextCursor };
    });
  }

  /** Nobody has the new entity: who shall read its documents is assigned, and recorded. */
  @Handles(createEntity)
  create(scope: Scope, { name, code }: NewEntity, context: WriteContext): Promise<EntityItem> {
    return context.write(async (tx) => {
      const reach = await Reach.of(tx, scope);
      reach.assertWholeGroup();
      return this.entities.get(tx, reach, await this.entities.create(tx, name, code));
    });
  }

  @Handles(updateEntity)
  update(scope: Scope, { entityCode, name }: EntityUpdate, context: WriteContext): Promise<EntityItem> {
    return context.write(async (tx) => {
      const reach = await Reach.of(tx, scope);
      await this.entities.lock(tx, reach, entityCode);
      reach.assertWholeEntity(entityCode);
      await this.entities.rename(tx, entityCode, name);
      return this.entities.get(tx, reach, entityCode);
    });
  }

  /**
   * Folders and documents are counted before the transaction, because they live elsewhere: one that is registered in
   * between belongs to an entity that nobody has, and is seen by nobody.
   */
  @Handles(deleteEntity)
  async delete(scope: Scope, { entityCode }: EntityReference, context: WriteContext): Promise<EntityDeleted> {
    const { locations, documents } = await this.dependencies(scope, { entityCode });
    return context.write(async (tx) => {
      const reach = await Reach.of(tx, scope);
      await this.entities.lock(tx, reach, entityCode);
      reach.assertWholeGroup();
      const counts = { ...(await this.entities.counts(tx, entityCode)), locations, documents };
      if (totalOf(counts) > 0) throw blocked(counts);
      await this.entities.assertNotLast(tx, entityCode);
      await this.entities.delete(tx, entityCode);
      return { entityCode, deleted: true };
    });
  }

  @Handles(entityDependencies)
  async dependencies(scope: Scope, { entityCode }: EntityReference): Promise<EntityDependencies> {
    const own = await this.database.read(scope, async (tx) => {
      await this.entities.get(tx, await Reach.of(tx, scope), entityCode);
      return this.entities.counts(tx, entityCode);
    });
    const counts = { ...own, ...(await this.folders.count(scope, { entityCode })) };
    return { entityCode, ...counts, total: totalOf(counts) };
  }
}
