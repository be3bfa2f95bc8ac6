import { type IngestionProgress, listGroups } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { anonymous, WorkScope } from '@acervo/rbac';
import type { Print } from '../kernel/print';

/** A group, as this program manages it. */
export interface Group {
  readonly groupId: string;
  readonly code: string;
  /** Whether the first start created it: the folders of the command line belong to this group. */
  readonly first: boolean;
  /** Scope of the calls that this program sends for the group. */
  readonly scope: WorkScope;
}

/** Progress of the ingestion in a group. */
export interface GroupProgress {
  readonly group: Group;
  readonly progress: IngestionProgress;
}

/** All groups that exist now; the first group comes first. */
export const groupsOf = async (calls: Calls): Promise<readonly Group[]> => {
  const { groups } = await calls.send(listGroups, anonymous, {});
  return groups.map((group) => ({ ...group, scope: new WorkScope(group.groupId, 'standalone', 'upkeep') }));
};

/**
 * Runs `work` for each group in turn, under the name of the group if there are several; returns whether all succeeded.
 */
export const eachGroup = async (
  groups: readonly Group[],
  print: Print,
  work: (group: Group) => Promise<boolean>,
): Promise<boolean> => {
  let isWhole = true;
  for (const group of groups) {
    if (groups.length > 1) print(`Group ${group.code}:`);
    if (!(await work(group))) isWhole = false;
  }
  return isWhole;
};
