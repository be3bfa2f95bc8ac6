import { Injectable } from '@nestjs/common';
import { type Call, NotFound, type Space, type SpaceCriteria } from '@acervo/contracts';
import { awaitedMs } from '@acervo/platform-calls';
import { Database, type Transaction } from '@acervo/platform-database';
import { WorkSignals } from '@acervo/platform-queue';
import { pause } from '@acervo/platform-resilience';
import type { Scope } from '@acervo/rbac';
import { QueriedDocuments } from './queried-documents';
import { SpaceRecords } from './space-records';
import { SpaceStore } from '../space-members/space.store';
import { REFRESH_SPACE_STAGE } from '../space-members/stages';

/** Time before the end of a call in which its answer is read. */
const ANSWER_MS = 2_000;
/** Pauses between two looks at a task grow with the time waited: on a shared session each look delays the task. */
const LOOK_MS = { least: 100, most: 1_000, share: 0.1 } as const;

const pauseAfter = (waitedMs: number): number =>
  Math.min(LOOK_MS.most, Math.max(LOOK_MS.least, waitedMs * LOOK_MS.share));

/** A complete change of a space, or the version that a task writes for it. */
export type Changed = { readonly record: Space } | { readonly spaceId: number; readonly awaited: number };

/** What surrounds the transaction of a refresh: the query before it, and waiting for a task behind it. */
@Injectable()
export class Refreshing {
  constructor(
    private readonly database: Database,
    private readonly spaces: SpaceStore,
    private readonly records: SpaceRecords,
    private readonly queried: QueriedDocuments,
    private readonly workSignals: WorkSignals,
  ) {}

  /** What the query of criteria finds for the caller; null without a query. */
  async query(
    scope: Scope,
    criteria: SpaceCriteria | null,
    entityCode: string | null,
  ): Promise<readonly string[] | null> {
    if (criteria?.query === undefined) return null;
    return this.queried.find(scope, criteria, entityCode);
  }

  /**
   * What the transaction of a change leaves to its answer: the record, or the version that is awaited. The record counts
   * the members, which takes long for as many as need a task.
   */
  async changed(tx: Transaction, scope: Scope, spaceId: number, awaited: number | undefined): Promise<Changed> {
    return awaited === undefined ? { record: await this.records.one(tx, scope, spaceId) } : { spaceId, awaited };
  }

  /** Answers a change. Waits for its task as long as the caller does; a space whose task still runs is stale. */
  async answer(call: Call, scope: Scope, changed: Changed): Promise<Space> {
    if ('record' in changed) return changed.record;
    const { spaceId, awaited } = changed;
    await this.workSignals.notify(scope.groupId, REFRESH_SPACE_STAGE.name);
    const began = Date.now();
    const until = began + Math.min(call.deadlineMs, awaitedMs()) - ANSWER_MS;
    while (Date.now() < until && !(await this.isReached(scope, spaceId, awaited)))
      await pause(pauseAfter(Date.now() - began));
    return this.database.read(scope, (tx) => this.records.one(tx, scope, spaceId));
  }

  /** Whether the version is read, or is no longer awaited. */
  private isReached(scope: Scope, spaceId: number, version: number): Promise<boolean> {
    return this.database.read(scope, async (tx) => {
      const row = await this.spaces.find(tx, spaceId);
      if (row === undefined) throw new NotFound();
      return row.version >= version || row.requested < version;
    });
  }
}
