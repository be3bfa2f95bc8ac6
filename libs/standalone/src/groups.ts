import { type IngestionProgress, listGroups } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { anonymous, WorkScope } from '@acervo/rbac';
import type { Say } from './intake';

/** A group of the installation, as its operator looks after it. */
export interface Group {
  readonly groupId: string;
  readonly code: string;
  /** Whether it is the one of the first start, which has the folders of the command line. */
  readonly first: boolean;
  /** The scope of what this program does for it. */
  readonly scope: WorkScope;
}

/** How far the documents of a group are. */
export interface GroupProgress {
  readonly group: Group;
  readonly progress: IngestionProgress;
}

/** All groups there are now, the first one first. */
export const groupsOf = async (calls: Calls): Promise<readonly Group[]> => {
  const { groups } = await calls.send(listGroups, anonymous, {});
  return groups.map((group) => ({ ...group, scope: new WorkScope(group.groupId, 'standalone', 'upkeep') }));
};

/** Does something for each group, one after the other, under its name where there are several; answers whether all went well. */
export const eachGroup = async (
  groups: readonly Group[],
  say: Say,
  work: (group: Group) => Promise<boolean>,
): Promise<boolean> => {
  let isWhole = true;
  for (const group of groups) {
    if (groups.length > 1) say(`Group ${group.code}:`);
    if (!(await work(group))) isWhole = false;
  }
  return isWhole;
};
