import { provisionFirstGroup } from '@acervo/contracts';
import { type AdminCommand, adminCommand, type AdminCommandContext } from '@acervo/platform-service';
import { anonymous, WorkScope } from '@acervo/rbac';
import { administratorLink, type Asking, newKey, systemUser } from './people';

const GROUP_NAME = 'Acervo';

const askingFor = async (context: AdminCommandContext): Promise<Asking> => ({
  ...context,
  scope: await context.groups.one(),
});

/** Creates the first group, or reports the existing one. */
const provision = async ({ calls, value: administrator, cause, print }: AdminCommandContext): Promise<void> => {
  const group = await calls.send(provisionFirstGroup, anonymous, { groupName: GROUP_NAME, administrator });
  if (group.apiKey === null) {
    print(
      `The first group exists already: ${group.groupCode}, administrator ${group.administrator}. Nothing was changed.`,
    );
    return print('--new-key replaces a lost key, --admin-link a lost link.');
  }
  print(`Group ${group.groupCode}, entity ${group.entityCode}, administrator ${group.administrator}.`);
  print(`API key, shown this once:  ${group.apiKey}`);
  await administratorLink({ calls, print, scope: new WorkScope(group.groupId, 'operator', cause) });
};

/** The admin commands of auth: an installation begins here. */
export const authAdminCommands: readonly AdminCommand[] = [
  adminCommand('provision', provision),
  adminCommand('new-key', async (context) => newKey(await askingFor(context))),
  adminCommand('admin-link', async (context) => administratorLink(await askingFor(context))),
  adminCommand('system-user', async (context) => systemUser(await askingFor(context), context.value)),
];
