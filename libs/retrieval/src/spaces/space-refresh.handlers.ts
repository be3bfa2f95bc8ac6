import { Injectable } from '@nestjs/common';
import {
  composeSpaces,
  NotFound,
  refreshSpace,
  setSpaceCriteria,
  type Space,
  type SpaceComposition,
  type SpaceCriteriaUpdate,
  type SpaceReference,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Database, type Transaction } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { composedName } from './composed-name';
import { checkedCriteria } from './criteria';
import { Gathering } from '../space-members/gathering';
import { Refreshing } from './refreshing';
import { assertMayChange, seesSpace } from '../space-members/space-access';
import { entityOfComposed } from './space-entity';
import { type LockedSpace, type SpaceRow, SpaceStore } from '../space-members/space.store';

/** Gathers the documents of spaces: by criteria, or from two other spaces. */
@Injectable()
export class SpaceRefreshHandlers {
  constructor(
    private readonly database: Database,
    private readonly spaces: SpaceStore,
    private readonly gathering: Gathering,
    private readonly refreshing: Refreshing,
  ) {}

  @Handles(setSpaceCriteria)
  async setCriteria(scope: Scope, change: SpaceCriteriaUpdate, context: WriteContext): Promise<Space> {
    const { spaceId } = change;
    const found = await this.found(scope, spaceId);
    assertMayChange(scope, found);
    const criteria = checkedCriteria(change.criteria, found.type);
    const listed = await this.refreshing.query(scope, criteria, found.entityCode);
    const changed = await context.write(async (tx) => {
      const space = await this.lockSeen(tx, scope, spaceId);
      assertMayChange(scope, space);
      // It may have been shared since.
      checkedCriteria(criteria, space.type);
      const definition = { criteria, expression: null, listed };
      await this.spaces.define(tx, spaceId, definition);
      const awaited = await this.gathering.gather(tx, { ...space, ...definition }, true);
      return this.refreshing.changed(tx, scope, spaceId, awaited);
    });
    return this.refreshing.answer(setSpaceCriteria, scope, changed);
  }

  @Handles(refreshSpace)
  async refresh(scope: Scope, { spaceId }: SpaceReference, context: WriteContext): Promise<Space> {
    const { criteria, ...before } = await this.found(scope, spaceId);
    if (criteria?.query !== undefined) assertMayChange(scope, before);
    const listed = await this.refreshing.query(scope, criteria, before.entityCode);
    const changed = await context.write(async (tx) => {
      const space = await this.lockSeen(tx, scope, spaceId);
      // What the query found counts for the criteria that it belongs to.
      const isQueried = listed !== null && space.criteria?.query === criteria?.query;
      if (isQueried) await this.spaces.foundByQuery(tx, spaceId, listed);
      const awaited = await this.gathering.gather(tx, isQueried ? { ...space, listed } : space, isQueried);
      return this.refreshing.changed(tx, scope, spaceId, awaited);
    });
    return this.refreshing.answer(refreshSpace, scope, changed);
  }

  @Handles(composeSpaces)
  async compose(scope: Scope, composition: SpaceComposition, context: WriteContext): Promise<Space> {
    const { operation, spaceIdA, spaceIdB, spaceType } = composition;
    const changed = await context.write(async (tx) => {
      const [a, b] = [await this.spaces.seen(tx, scope, spaceIdA), await this.spaces.seen(tx, scope, spaceIdB)];
      const spaceId = await this.spaces.create(tx, {
        name: composedName(composition.name, operation, a.name, b.name),
        description: '',
        type: spaceType === 'SPACE' ? 'ESPACIO' : 'AREA',
        entityCode: entityOfComposed(scope, [a.entityCode, b.entityCode]),
        ownerId: scope.userId,
        ...{ criteria: null, expression: { operation, spaceIdA, spaceIdB }, listed: null },
      });
      context.concerns({ target: `space:${spaceId}` });
      const awaited = await this.gathering.gather(tx, await this.lockSeen(tx, scope, spaceId));
      return this.refreshing.changed(tx, scope, spaceId, awaited);
    });
    return this.refreshing.answer(composeSpaces, scope, changed);
  }

  private found(scope: Scope, spaceId: number): Promise<SpaceRow> {
    return this.database.read(scope, (tx) => this.spaces.seen(tx, scope, spaceId));
  }

  /** @throws NotFound for a space that is absent or invisible */
  private async lockSeen(tx: Transaction, scope: Scope, spaceId: number): Promise<LockedSpace> {
    const space = await this.spaces.lock(tx, spaceId);
    if (space === undefined || !seesSpace(scope, space)) throw new NotFound();
    return space;
  }
}
