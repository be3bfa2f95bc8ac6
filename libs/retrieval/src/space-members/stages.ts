import { Int } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { outsideTraces } from '@acervo/platform-observability';
import type { NewTask, Stage, Tasks } from '@acervo/platform-queue';
import type { SpaceRow } from './space.store';

/** Writes a version of a space whose documents are too many for one transaction. */
export const REFRESH_SPACE_STAGE: Stage = {
  ...{ name: 'refresh-space', batch: 1, leaseSeconds: 30, attempts: 20 },
};
/** Deletes the members of versions that are no longer read. */
export const PURGE_SPACE_STAGE: Stage = { name: 'purge-space', batch: 4, leaseSeconds: 30, attempts: 20 };

/** How far a round of refreshes is. */
export class RefreshRound {
  @Int({ default: 0, description: 'Spaces after this one remain' }) readonly after!: number;
}

/** Refreshes the spaces of a group at the hours that its parameter names, for ever. */
export const SCHEDULE_SPACES_STAGE: Stage = {
  ...{ name: 'schedule-spaces', batch: 1, leaseSeconds: 60, attempts: 1_000 },
  payload: RefreshRound,
};

/** Time between two looks at the parameter of a group, and at what is due. */
const LOOK_EVERY_MS = 600_000;
/** Below the priority of all requested work. */
const UPKEEP_PRIORITY = -9;

/** A search that began in the old version ends in it: its members stay for so long. */
const READS_END_MS = 60_000;

const PREFIX = '00000000-0000-4000-8000-';

/** The subject of tasks about a space: a number as a UUID. Both are unique within a group. */
export const subjectOf = (spaceId: number): string => PREFIX + spaceId.toString(16).padStart(12, '0');
export const spaceIdOf = (subjectId: string): number => Number.parseInt(subjectId.slice(PREFIX.length), 16);

export const refreshTask = (spaceId: number, version: number): NewTask => ({
  ...{ subjectId: subjectOf(spaceId), stage: REFRESH_SPACE_STAGE.name, generation: version },
});

/** Deletes every version before `version`. */
export const purgeTask = (spaceId: number, version: number): NewTask => ({
  ...{ subjectId: subjectOf(spaceId), stage: PURGE_SPACE_STAGE.name, generation: version, delayMs: READS_END_MS },
});

/** Deletes all members of a space that no longer exists: it has neither been read nor refreshed beyond these versions. */
export const purgeDeletedTask = ({
  spaceId,
  version,
  requested,
}: Pick<SpaceRow, 'spaceId' | 'version' | 'requested'>): NewTask =>
  purgeTask(spaceId, Math.max(version, requested) + 1);

/** Plans the next look at the schedule of the group, unless one is planned. It is outside traces, which would never end. */
export const planSchedule = (
  tasks: Tasks,
  tx: Transaction,
  { after, delayMs = LOOK_EVERY_MS }: RefreshRound & { readonly delayMs?: number } = { after: 0 },
): Promise<void> =>
  outsideTraces(() =>
    tasks.enqueue(tx, {
      ...{ subjectId: tx.groupId ?? '', stage: SCHEDULE_SPACES_STAGE.name, generation: 1, payload: { after } },
      ...{ delayMs, priority: UPKEEP_PRIORITY },
    }),
  );
