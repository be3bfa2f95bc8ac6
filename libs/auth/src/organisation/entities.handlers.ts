import { Injectable } from '@nestjs/common';
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
  getEntity,
  listEntities,
  type NewEntity,
  updateEntity,
} from '@acervo/contracts';
import { Cursors, Handles, pageOf, type WriteContext } from '@acervo/platform-calls';
import { countSelected, Database } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { blocked, totalOf } from './dependencies';
import { EntitySpaces } from './entity-spaces';
import { EntityStore } from './entity.store';
import { Folders } from './folders';
import { Reach } from './reach';

/** The entities that a group is divided into. */
@Injectable()
export class EntitiesHandlers {
  constructor(
    private readonly database: Database,
    private readonly folders: Folders,
    private readonly spaces: EntitySpaces,
    private readonly cursors: Cursors,
    private readonly entities: EntityStore,
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

  @Handles(getEntity)
  get(scope: Scope, { entityCode }: EntityReference): Promise<EntityItem> {
    return this.database.read(scope, async (tx) => this.entities.get(tx, await Reach.of(tx, scope), entityCode));
  }

  /** No user has the new entity: an administrator assigns its readers, and each assignment is recorded. */
  @Handles(createEntity)
  create(scope: Scope, { name, code }: NewEntity, context: WriteContext): Promise<EntityItem> {
    return context.write(async (tx) => {
      const reach = await Reach.of(tx, scope);
      reach.assertWholeGroup();
      const made = await this.entities.create(tx, name, code);
      context.concerns({ target: `entity:${made}` });
      return this.entities.get(tx, reach, made);
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
   * Folders, documents, document types and spaces are counted before the transaction, because other services store
   * them. A folder that is registered in between belongs to an entity without users, so no user sees it; a space that
   * is created in between is seen by administrators, who can delete it.
   */
  @Handles(deleteEntity)
  async delete(scope: Scope, { entityCode }: EntityReference, context: WriteContext): Promise<EntityDeleted> {
    const { locations, documents, documentTypes, spaces } = await this.dependencies(scope, { entityCode });
    return context.write(async (tx) => {
      const reach = await Reach.of(tx, scope);
      await this.entities.lock(tx, reach, entityCode);
      reach.assertWholeGroup();
      const ownCounts = await countSelected(tx, this.entities.selectAffected(tx, entityCode));
      const counts = { ...ownCounts, locations, documents, documentTypes, spaces };
      if (totalOf(counts) > 0) throw blocked(counts);
      await this.entities.assertNotLast(tx, entityCode);
      await this.entities.delete(tx, entityCode);
      return { entityCode, deleted: true };
    });
  }

  @Handles(entityDependencies)
  async dependencies(scope: Scope, { entityCode }: EntityReference): Promise<EntityDependencies> {
    const ownCounts = await this.database.read(scope, async (tx) => {
      await this.entities.get(tx, await Reach.of(tx, scope), entityCode);
      return countSelected(tx, this.entities.selectAffected(tx, entityCode));
    });
    const [contents, spaces] = await Promise.all([
      this.folders.count(scope, { entityCode }),
      this.spaces.count(scope, entityCode),
    ]);
    const counts = { ...ownCounts, ...contents, spaces };
    return { entityCode, ...counts, total: totalOf(counts) };
  }
}
