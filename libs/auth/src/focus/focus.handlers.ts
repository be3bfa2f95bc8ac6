import { Injectable } from '@nestjs/common';
import {
  type ActiveArea,
  type ActiveEntity,
  describeContext,
  type EntityInRequest,
  type EntityReach,
  entityReach,
  Forbidden,
  type LocationRoots,
  locationRootsOfScope,
  NotFound,
  type Empty,
  type SessionContext,
  setActiveArea,
  setActiveEntity,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { homeOf } from '../kernel/home';
import { Holders } from '../credentials/holders';
import { mayFocusOn } from './focus';
import { FocusReader } from './focus-reader';
import { FocusStore } from './focus.store';
import { OwnEntities } from './own-entities';

/**
 * The focus of a key or a session: one entity or all of them, and one area within an entity. The routes work under a
 * stale focus too, because they repair it.
 */
@Injectable()
export class FocusHandlers {
  constructor(
    private readonly database: Database,
    private readonly holders: Holders,
    private readonly reader: FocusReader,
    private readonly store: FocusStore,
    private readonly entities: OwnEntities,
  ) {}

  @Handles(describeContext)
  async describe(scope: Scope, _input: Empty = {}): Promise<SessionContext> {
    const { holders, reader } = this;
    const holder = await holders.of(scope);
    const focus = await reader.resolve(scope, holder);
    const { groupCode, userCode, userName: userAlias, credential, profile, functions } = scope;
    return {
      ...{ groupCode, userCode, userAlias, credential, profile, functions },
      ...focus,
      entities: holder.grants.map(({ entity }) => entity),
      entityIsFixed: holder.fixedEntity !== null,
      effectiveArea: focus.focusIsStale ? null : focus.effectiveArea,
    };
  }

  @Handles(setActiveEntity)
  async setEntity(scope: Scope, { entityCode }: ActiveEntity, context: WriteContext): Promise<SessionContext> {
    await this.focusOnEntity(scope, entityCode, context);
    return this.describe(scope);
  }

  @Handles(setActiveArea)
  async setArea(scope: Scope, { areaCode }: ActiveArea, context: WriteContext): Promise<SessionContext> {
    const { store } = this;
    const focus = areaCode === null ? undefined : await this.focusOnArea(scope, areaCode);
    await context.writeUnder(homeOf(scope), (tx) =>
      focus === undefined ? store.releaseArea(tx, scope) : store.set(tx, scope, focus),
    );
    return this.describe(scope);
  }

  @Handles(locationRootsOfScope)
  async locationRoots(scope: Scope, _input: Empty): Promise<LocationRoots> {
    const { effectiveArea } = scope;
    if (effectiveArea === null) throw new NotFound();
    return this.database.read(scope, (tx) => this.store.roots(tx, effectiveArea));
  }

  /** @throws NotFound for an entity that the caller does not reach, exactly as for a missing one */
  @Handles(entityReach)
  async reachIn(scope: Scope, { entityCode }: EntityInRequest): Promise<EntityReach> {
    const area = await this.entities.areaIn(scope, entityCode);
    if (area === null) return { locationRoots: null };
    const { roots } = await this.database.read(scope, (tx) => this.store.roots(tx, area));
    return { locationRoots: roots };
  }

  /**
   * Stores an entity, or its release, for a credential. An area belongs to one entity: it stays with that entity and
   * is released with any other. @throws NotFound for an entity that the owner does not have; Forbidden for a key that
   * is fixed to another.
   */
  async focusOnEntity(scope: Scope, entity: string | null, context: WriteContext): Promise<void> {
    const { holders, store } = this;
    const { grants, fixedEntity, activeEntity, activeArea } = await holders.of(scope);
    if (fixedEntity !== null && fixedEntity !== entity)
      throw new Forbidden('The key is fixed to its entity; use a key that is not.');
    if (entity !== null && !grants.some((grant) => grant.entity === entity)) throw new NotFound();
    const area = entity !== null && entity === (fixedEntity ?? activeEntity) ? activeArea : null;
    await context.writeUnder(homeOf(scope), (tx) => store.set(tx, scope, { entity, area }));
  }

  /** @throws NotFound for an area outside of the permission, exactly as for a missing one. */
  private async focusOnArea(scope: Scope, area: string): Promise<{ entity: string; area: string }> {
    const { database, holders, store } = this;
    const path = await database.read(scope, (tx) => store.path(tx, area));
    const holder = await holders.of(scope);
    if (path === undefined || !mayFocusOn(holder, path)) throw new NotFound();
    return { entity: path.entity, area };
  }
}
