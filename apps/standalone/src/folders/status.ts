import { ingestionProgress } from '@acervo/contracts';
import { figuresOf, printAgreement } from '@acervo/platform-admin';
import type { Calls } from '@acervo/platform-calls';
import { eachGroup, type Group, type GroupProgress, groupsOf } from './groups';
import type { Print } from '../kernel/print';
import { summaryOf } from '../terminal/progress/messages';

/** Progress of the ingestion in each group. */
export const progressOf = async (calls: Calls, groups: readonly Group[]): Promise<readonly GroupProgress[]> => {
  const all: GroupProgress[] = [];
  for (const group of groups) all.push({ group, progress: await calls.send(ingestionProgress, group.scope, {}) });
  return all;
};

/** Progress of a group as lines. An empty group other than the first gets no advice. */
const linesOf = ({ group, progress }: GroupProgress, perSecond: number | null): string[] => {
  const { counts, ignored, notices } = progress;
  const isEmpty = counts.length + ignored.length + notices.length === 0;
  return isEmpty && !group.first ? ['No documents yet.'] : summaryOf(progress, figuresOf(progress, perSecond));
};

/** Prints the progress of all groups. */
export const printSummaries = async (all: readonly GroupProgress[], print: Print): Promise<void> => {
  const of = new Map(all.map((each) => [each.group, each]));
  await eachGroup([...of.keys()], print, (group) => {
    const found = of.get(group);
    if (found !== undefined) linesOf(found, null).forEach(print);
    return Promise.resolve(true);
  });
};

/**
 * Prints the progress of each group, and whether its stores agree.
 * @param perSecond documents that all groups together complete in a second, if known
 */
export const printStatus = async (calls: Calls, print: Print, perSecond: number | null): Promise<void> => {
  const groups = await groupsOf(calls);
  await eachGroup(groups, print, async (group) => {
    for (const each of await progressOf(calls, [group]))
      linesOf(each, groups.length === 1 ? perSecond : null).forEach(print);
    await printAgreement(calls, group.scope, print);
    return true;
  });
};
