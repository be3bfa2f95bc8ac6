import { listGroups, readParameters } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import type { Logger } from '@acervo/platform-observability';
import { HOURLY, Periodic } from '@acervo/platform-resilience';
import { anonymous, WorkScope } from '@acervo/rbac';

/** Rows of one transaction: no request waits long for the locks of a deletion. */
const BATCH = 50;

/** Work of a service on all groups; it has to be safe for several replicas at once. */
export interface GroupWork {
  readonly service: string;
  readonly calls: Calls;
  readonly logger: Logger;
  /** What belongs to no group, before the groups. */
  readonly shared?: () => Promise<void>;
  readonly ofGroup: (scope: WorkScope) => Promise<void>;
}

/** Works on all groups of the installation, a minute after the start and every hour. */
export class GroupRounds {
  private readonly rounds = new Periodic(() => this.round(), {
    ...HOURLY,
    failed: (error) => this.work.logger.warn({ error }, 'a round over all groups failed; it runs again in an hour'),
  });

  constructor(private readonly work: GroupWork) {}

  start(): void {
    this.rounds.start();
  }

  stop(): void {
    void this.rounds.stop();
  }

  /** One round. A group that fails does not stop the others. */
  async round(): Promise<void> {
    const { service, calls, logger, shared, ofGroup } = this.work;
    await shared?.();
    const { groups } = await calls.send(listGroups, anonymous, {});
    for (const { groupId } of groups)
      await ofGroup(new WorkScope(groupId, service, 'upkeep')).catch((error: unknown) =>
        logger.warn({ error, groupId }, 'upkeep of a group failed; it runs again in an hour'),
      );
  }
}

/**
 * Deletes what is older than a parameter of the group allows, in days; 0 keeps everything. Answers how many rows went.
 * @param deleteOlder deletes so many rows at most, and answers how many
 */
export const applyRetention = async (
  calls: Calls,
  scope: WorkScope,
  parameterCode: string,
  deleteOlder: (days: number, most: number) => Promise<number>,
): Promise<number> => {
  const { values } = await calls.send(readParameters, scope, { parameterCodes: [parameterCode] });
  const days = Number(values[0]?.value ?? 0);
  let total = 0;
  for (let deleted = days === 0 ? 0 : BATCH; deleted === BATCH; total += deleted)
    deleted = await deleteOlder(days, BATCH);
  return total;
};
