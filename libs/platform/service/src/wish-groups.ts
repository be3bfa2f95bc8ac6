import { listGroups, type TransferredGroup } from '@acervo/contracts';
import { anonymous, WorkScope } from '@acervo/rbac';
import { type Say, WishFailed, type WishParts } from './wishes';
import { reasonOf } from './wish-reasons';

type Asking = Pick<WishParts, 'calls' | 'cause' | 'group' | 'say'>;

/** The groups that a wish is for: the one that was named, else all. @throws WishFailed where there is none */
const groupsOf = async ({ calls, group }: Asking): Promise<readonly TransferredGroup[]> => {
  const { groups } = await calls.send(listGroups, anonymous, {});
  if (groups.length === 0)
    throw new WishFailed('There is no group yet. The program of auth makes the first one: --provision EMAIL.');
  const chosen = group === null ? groups : groups.filter(({ code }) => code === group);
  if (chosen.length === 0) throw new WishFailed(`There is no group ${group}; --group takes the code of one.`);
  return chosen;
};

const scopeOf = ({ groupId }: TransferredGroup, { cause }: Asking): WorkScope =>
  new WorkScope(groupId, 'operator', cause);

/** The one group that a wish is for: the one that was named, else the first of the installation. @throws WishFailed */
export const scopeOfGroup = async (asking: Asking): Promise<WorkScope> => {
  const groups = await groupsOf(asking);
  const group = asking.group === null ? groups.find(({ first }) => first) : groups[0];
  if (group === undefined)
    throw new WishFailed(
      'There is no first group. Name another with --group CODE, or make one with --provision EMAIL.',
    );
  return scopeOf(group, asking);
};

/**
 * Does something for each group that a wish is for, and says of which one it speaks. A group for which it fails holds up
 * no other. @throws WishFailed at the end, where it failed for one
 */
export const forEachGroup = async (
  asking: Asking,
  work: (scope: WorkScope, say: Say) => Promise<void>,
): Promise<void> => {
  const failed: string[] = [];
  for (const group of await groupsOf(asking)) {
    const say: Say = (line) => asking.say(`${group.code}: ${line.trimStart()}`);
    await work(scopeOf(group, asking), say).catch((error: unknown) => {
      failed.push(group.code);
      say(reasonOf(error));
    });
  }
  if (failed.length > 0) throw new WishFailed(`--${asking.cause} came to nothing for ${failed.join(', ')}; see above.`);
};
