import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';
import { Tasks } from '@acervo/platform-queue';
import type { MemberSource, Operands } from './member-source';
import { type AtOnce, MemberStore, type VersionSource } from './member.store';
import { type Gathered, type LockedSpace, type SpaceRow, SpaceStore } from './space.store';
import { planSchedule, purgeTask, refreshTask } from './stages';

/** Most members that one transaction writes, and most documents that it compares for them. */
const MOST_AT_ONCE: AtOnce = { members: 1_000, candidates: 5_000 };

/** What a version is written from, and the state that it is read in. */
export interface Reading extends VersionSource, Omit<Gathered, 'version'> {}

interface OperandRow {
  readonly spaceId: number;
  readonly version: number;
  readonly entityCode: string | null;
}

/** Gathers the members of spaces, for any caller: visibility applies where members are read. */
@Injectable()
export class Gathering {
  constructor(
    private readonly spaces: SpaceStore,
    private readonly members: MemberStore,
    private readonly tasks: Tasks,
  ) {}

  /**
   * Writes a new version of a locked space. Returns the version that a task writes where there are too many documents
   * for this transaction, else undefined. A task in progress is joined, unless the definition changed since.
   * A space that cannot be refreshed stays as it is: an operand was deleted, or nothing defines it.
   */
  async gather(tx: Transaction, space: LockedSpace, isRedefined = false): Promise<number | undefined> {
    const { spaceId, version, requested } = space;
    // Every group with spaces has its schedule looked at; later refreshes need not wait for each other at that row.
    if (Math.max(version, requested) === 0) await planSchedule(this.tasks, tx);
    const reading = await this.read(tx, space);
    if (reading === undefined) return undefined;
    const next = Math.max(version, requested) + 1;
    if (await this.members.writeAtOnce(tx, { spaceId, version: next }, reading, MOST_AT_ONCE)) {
      await this.flip(tx, space, { ...reading, version: next });
      return undefined;
    }
    const awaited = requested > version && !isRedefined ? requested : next;
    await this.spaces.request(tx, spaceId, awaited);
    await this.tasks.enqueue(tx, refreshTask(spaceId, awaited));
    return awaited;
  }

  /** Lets the space be read at a complete version, and plans the deletion of the version before. */
  async flip(tx: Transaction, { spaceId, version }: SpaceRow, gathered: Gathered): Promise<void> {
    await this.spaces.flip(tx, spaceId, gathered);
    if (version > 0) await this.tasks.enqueue(tx, purgeTask(spaceId, gathered.version));
  }

  /** What the members of a space are read from now; undefined where nothing defines them. */
  async read(tx: Transaction, space: LockedSpace): Promise<Reading | undefined> {
    // Before the first document is read: what is stored later counts as later.
    const [row] = await tx.query<{ snapshot: string }>('select pg_current_snapshot()::text as snapshot');
    const snapshot = row?.snapshot ?? '';
    const { criteria, expression, listed, entityCode } = space;
    if (expression !== null) return this.readOperands(tx, space, snapshot);
    if (criteria === null && listed === null) return undefined;
    const source: MemberSource =
      criteria === null ? { kind: 'list', listed: listed ?? [] } : { kind: 'criteria', criteria, listed };
    return { source, entityCode, snapshot, operandVersions: null };
  }

  private async readOperands(
    tx: Transaction,
    { expression, entityCode }: SpaceRow,
    snapshot: string,
  ): Promise<Reading | undefined> {
    if (expression === null) return undefined;
    const { operation, spaceIdA, spaceIdB } = expression;
    const rows = await tx.query<OperandRow>(
      `select space_id as "spaceId", version, entity_code as "entityCode" from retrieval.space
       where group_id = $1 and space_id = any($2::int[])`,
      [tx.groupId, [spaceIdA, spaceIdB]],
    );
    const [a, b] = [spaceIdA, spaceIdB].map((id) => rows.find(({ spaceId }) => spaceId === id));
    if (a === undefined || b === undefined) return undefined;
    const operands: Operands = [a, b];
    return {
      ...{ source: { kind: 'operands', operation, operands }, snapshot, operandVersions: [a.version, b.version] },
      // Operands of the same entity have its documents alone.
      entityCode: rows.every((row) => row.entityCode === entityCode) ? null : entityCode,
    };
  }
}
