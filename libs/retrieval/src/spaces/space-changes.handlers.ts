import { Injectable } from '@nestjs/common';
import {
  createSpace,
  deleteSpace,
  InvalidMeaning,
  type NewSpace,
  previewSpaceDeletion,
  promoteSpace,
  type Space,
  spaceDeleted,
  type SpaceDeleted,
  type SpaceEffect,
  type SpaceReference,
  type SpaceUpdate,
  updateSpace,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { countSelected, Database, type Transaction } from '@acervo/platform-database';
import { Outbox } from '@acervo/platform-messaging';
import { Tasks } from '@acervo/platform-queue';
import { type Scope, visibilityOf } from '@acervo/rbac';
import { MOST_QUERIED_DOCUMENTS } from '@acervo/contracts';
import { selectAffected } from './affected';
import { checkedCriteria } from './criteria';
import { Gathering } from '../space-members/gathering';
import { MemberStore } from '../space-members/member.store';
import { Refreshing } from './refreshing';
import { assertMayChange } from '../space-members/space-access';
import { entityOfNew } from './space-entity';
import { SpaceRecords } from './space-records';
import { type LockedSpace, type SpaceRow, SpaceStore } from '../space-members/space.store';
import { SpaceConflict } from './spaces.errors';
import { purgeDeletedTask } from '../space-members/stages';

/** Creates, describes, shares and deletes spaces. */
@Injectable()
export class SpaceChangesHandlers {
  constructor(
    private readonly database: Database,
    private readonly tasks: Tasks,
    private readonly spaces: SpaceStore,
    private readonly members: MemberStore,
    private readonly gathering: Gathering,
    private readonly refreshing: Refreshing,
    private readonly records: SpaceRecords,
    private readonly outbox: Outbox,
  ) {}

  @Handles(createSpace)
  async create(scope: Scope, draft: NewSpace, context: WriteContext): Promise<Space> {
    const { name, description = '', type = 'AREA' } = draft;
    const entityCode = entityOfNew(scope, draft.entityCode);
    const criteria = draft.criteria === undefined ? null : checkedCriteria(draft.criteria, type);
    const listed = await this.refreshing.query(scope, criteria, entityCode);
    const definition = { criteria, expression: null, listed };
    const changed = await context.write(async (tx) => {
      const owned = { type, entityCode, ownerId: scope.userId };
      const spaceId = await this.spaces.create(tx, { name, description, ...owned, ...definition });
      context.concerns({ target: `space:${spaceId}` });
      const awaited = await this.gathering.gather(tx, await this.lockChangeable(tx, scope, spaceId));
      return this.refreshing.changed(tx, scope, spaceId, awaited);
    });
    return this.refreshing.answer(createSpace, scope, changed);
  }

  /** @throws InvalidMeaning for a request that changes nothing. */
  @Handles(updateSpace)
  async update(scope: Scope, change: SpaceUpdate, context: WriteContext): Promise<Space> {
    const { spaceId, name, description } = change;
    if (name === undefined && description === undefined) throw new InvalidMeaning(['name', 'description']);
    return context.write(async (tx) => {
      await this.lockChangeable(tx, scope, spaceId);
      await this.spaces.describe(tx, spaceId, name, description);
      return this.records.one(tx, scope, spaceId);
    });
  }

  @Handles(promoteSpace)
  async promote(scope: Scope, { spaceId }: SpaceReference, context: WriteContext): Promise<Space> {
    return context.write(async (tx) => {
      const space = await this.lockChangeable(tx, scope, spaceId);
      if (space.type !== 'AREA') throw new SpaceConflict('SHARED_ALREADY');
      if (space.criteria?.query !== undefined) await this.fix(tx, space);
      await this.spaces.share(tx, spaceId);
      return this.records.one(tx, scope, spaceId);
    });
  }

  @Handles(previewSpaceDeletion)
  previewDeletion(scope: Scope, { spaceId }: SpaceReference): Promise<SpaceEffect> {
    const visibility = visibilityOf(scope);
    return this.database.read(scope, async (tx) => {
      assertMayChange(scope, await this.spaces.find(tx, spaceId));
      return { spaceId, ...(await countSelected(tx, selectAffected(tx, visibility, spaceId))) };
    });
  }

  @Handles(deleteSpace)
  async delete(scope: Scope, { spaceId }: SpaceReference, context: WriteContext): Promise<SpaceDeleted> {
    return context.write(async (tx) => {
      const space = await this.lockChangeable(tx, scope, spaceId);
      await this.spaces.delete(tx, spaceId);
      await this.tasks.enqueue(tx, purgeDeletedTask(space));
      await this.outbox.append(tx, spaceDeleted, { spaceId });
      return { spaceId, deleted: true };
    });
  }

  /** The documents of a query depend on who asks: shared, they are the ones that its owner found. */
  private async fix(tx: Transaction, { spaceId, version, requested }: SpaceRow): Promise<void> {
    if (requested > version) throw new SpaceConflict('REFRESH_RUNS');
    const listed = await this.members.ids(tx, { spaceId, version }, MOST_QUERIED_DOCUMENTS);
    await this.spaces.define(tx, spaceId, { criteria: null, expression: null, listed });
  }

  /** A space that the caller may change, locked. @throws NotFound, Forbidden */
  private async lockChangeable(tx: Transaction, scope: Scope, spaceId: number): Promise<LockedSpace> {
    const space = await this.spaces.lock(tx, spaceId);
    assertMayChange(scope, space);
    if (space === undefined) throw new Error('A space that may be changed is missing.');
    return space;
  }
}
