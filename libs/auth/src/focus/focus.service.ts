import {
  type ActiveArea,
  type ActiveEntity,
  describeContext,
  Forbidden,
  type LocationRoots,
  locationRootsOfScope,
  NotFound,
  type Nothing,
  type SessionContext,
  setActiveArea,
  setActiveEntity,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import type { Database } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { homeOf } from '../sessions/home';
import type { Holders } from '../verification/holders';
import { mayFocusOn } from './focus';
import type { FocusReader } from './focus-reader';
import type { FocusStore } from './focus.store';

export interface FocusParts {
  readonly database: Database;
  readonly holders: Holders;
  readonly reader: FocusReader;
  readonly store: FocusStore;
}

/**
 * Where a key or a session looks: one entity or all of them, and within an entity one area. Works on a stale focus too,
 * since this is how it is repaired.
 */
export class FocusService {
  constructor(private readonly parts: FocusParts) {}

  @Handles(describeContext)
  async describe(scope: Scope, _input: Nothing = {}): Promise<SessionContext> {
    const { holders, reader } = this.parts;
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
    const { store } = this.parts;
    const focus = areaCode === null ? undefined : await this.focusOnArea(scope, areaCode);
    await context.writeUnder(homeOf(scope), (tx) =>
      focus === undefined ? store.releaseArea(tx, scope) : store.set(tx, scope, focus),
    );
    return this.describe(scope);
  }

  @Handles(locationRootsOfScope)
  async locationRoots(scope: Scope, _input: Nothing): Promise<LocationRoots> {
    const { effectiveArea } = scope;
    if (effectiveArea === null) throw new NotFound();
    return this.parts.database.read(scope, (tx) => this.parts.store.roots(tx, effectiveArea));
  }

  /**
   * Stores an entity, or its release, for a credential. An area lies in one entity: it is kept with that and goes with
   * any other. @throws NotFound for an entity that the owner does not have; Forbidden for a key that is fixed to another.
   */
  async focusOnEntity(scope: Scope, entity: string | null, context: WriteContext): Promise<void> {
    const { holders, store } = this.parts;
    const { grants, fixedEntity, activeEntity, activeArea } = await holders.of(scope);
    if (fixedEntity !== null && fixedEntity !== entity)
      throw new Forbidden('The key is fixed to its entity; use a key that is not.');
    if (entity !== null && !grants.some((grant) => grant.entity === entity)) throw new NotFound();
    const area = entity !== null && entity === (fixedEntity ?? activeEntity) ? activeArea : null;
    await context.writeUnder(homeOf(scope), (tx) => store.set(tx, scope, { entity, area }));
  }

  /** @throws NotFound for an area outside of the permission, as for one that does not exist. */
  private async focusOnArea(scope: Scope, area: string): Promise<{ entity: string; area: string }> {
    const { database, holders, store } = this.parts;
    const path = await database.read(scope, (tx) => store.path(tx, area));
    const holder = await holders.of(scope);
    if (path === undefined || !mayFocusOn(holder, path)) throw new NotFound();
    return { entity: path.entity, area };
  }
}
