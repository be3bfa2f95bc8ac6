import { ingestionProgress } from '@acervo/contracts';
import { figuresOf, tellAgreement } from '@acervo/ingestion';
import type { Calls } from '@acervo/platform-calls';
import { eachGroup, type Group, type GroupProgress, groupsOf } from './groups';
import type { Say } from './intake';
import { summaryOf } from './progress/sentences';

/** How far the documents of each group are. */
export const progressOf = async (calls: Calls, groups: readonly Group[]): Promise<readonly GroupProgress[]> => {
  const all: GroupProgress[] = [];
  for (const group of groups) all.push({ group, progress: await calls.send(ingestionProgress, group.scope, {}) });
  return all;
};

/** What there is to say about a group; nobody has to be told what to do in one that holds nothing yet. */
const linesOf = ({ group, progress }: GroupProgress, perSecond: number | null): string[] => {
  const { counts, ignored, notices } = progress;
  const isEmpty = counts.length + ignored.length + notices.length === 0;
  return isEmpty && !group.first ? ['No documents yet.'] : summaryOf(progress, figuresOf(progress, perSecond));
};

/** Says how far the documents of all groups are. */
export const tellSummaries = async (all: readonly GroupProgress[], say: Say): Promise<void> => {
  const of = new Map(all.map((each) => [each.group, each]));
  await eachGroup([...of.keys()], say, (group) => {
    const found = of.get(group);
    if (found !== undefined) linesOf(found, null).forEach(say);
    return Promise.resolve(true);
  });
};

/**
 * Says how far each group is, and whether its stores agree. @param perSecond documents that all groups together get
 * done in a second, where that is known
 */
export const tellStatus = async (calls: Calls, say: Say, perSecond: number | null): Promise<void> => {
  const groups = await groupsOf(calls);
  await eachGroup(groups, say, async (group) => {
    for (const each of await progressOf(calls, [group]))
      linesOf(each, groups.length === 1 ? perSecond : null).forEach(say);
    await tellAgreement(calls, group.scope, say);
    return true;
  });
};
