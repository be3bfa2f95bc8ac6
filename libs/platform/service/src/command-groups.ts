import { listGroups, type TransferredGroup } from '@acervo/contracts';
import { anonymous, WorkScope } from '@acervo/rbac';
import { type Print, AdminCommandFailed, type AdminCommandContext } from './admin-commands';
import { reasonOf } from './failure-reason';

type Asking = Pick<AdminCommandContext, 'calls' | 'cause' | 'group' | 'print'>;

/** The groups of an admin command: the named one, else all. @throws AdminCommandFailed where there are none */
const groupsOf = async ({ calls, group }: Asking): Promise<readonly TransferredGroup[]> => {
  const { groups } = await calls.send(listGroups, anonymous, {});
  if (groups.length === 0)
    throw new AdminCommandFailed('There is no group yet. The program of auth makes the first one: --provision EMAIL.');
  const chosen = group === null ? groups : groups.filter(({ code }) => code === group);
  if (chosen.length === 0) throw new AdminCommandFailed(`There is no group ${group}; --group takes the code of one.`);
  return chosen;
};

const scopeOf = ({ groupId }: TransferredGroup, { cause }: Asking): WorkScope =>
  new WorkScope(groupId, 'operator', cause);

/**
 * The scope of an admin command's group: the named one, else the first group of the installation.
 * @throws AdminCommandFailed
 */
export const scopeOfGroup = async (asking: Asking): Promise<WorkScope> => {
  const groups = await groupsOf(asking);
  const group = asking.group === null ? groups.find(({ first }) => first) : groups[0];
  if (group === undefined)
    throw new AdminCommandFailed(
      'There is no first group. Name another with --group CODE, or make one with --provision EMAIL.',
    );
  return scopeOf(group, asking);
};

/**
 * Runs a step for each group of an admin command and prints which group each message is about. A failing group does not
 * stop the others.
 * @throws AdminCommandFailed at the end, where one failed
 */
export const forEachGroup = async (
  asking: Asking,
  work: (scope: WorkScope, print: Print) => Promise<void>,
): Promise<void> => {
  const failed: string[] = [];
  for (const group of await groupsOf(asking)) {
    const print: Print = (line) => asking.print(`${group.code}: ${line.trimStart()}`);
    await work(scopeOf(group, asking), print).catch((error: unknown) => {
      failed.push(group.code);
      print(reasonOf(error));
    });
  }
  if (failed.length > 0)
    throw new AdminCommandFailed(`--${asking.cause} came to nothing for ${failed.join(', ')}; see above.`);
};
