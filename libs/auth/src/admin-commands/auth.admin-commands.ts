import { provisionFirstGroup } from '@acervo/contracts';
import { scopeOfGroup, type AdminCommand, type AdminCommandContext } from '@acervo/platform-service';
import { anonymous, WorkScope } from '@acervo/rbac';
import { administratorLink, type Asking, newKey, systemUser } from './people';

const GROUP_NAME = 'Acervo';

const askingFor = async (context: AdminCommandContext): Promise<Asking> => ({
  ...context,
  scope: await scopeOfGroup(context),
});

/** Creates the first group, or reports the existing one. */
const provision = async ({ calls, value: administrator, cause, print }: AdminCommandContext): Promise<void> => {
  const group = await calls.send(provisionFirstGroup, anonymous, { groupName: GROUP_NAME, administrator });
  if (group.apiKey === null) {
    print(`The first group is there: ${group.groupCode}, administrator ${group.administrator}. Nothing was changed.`);
    return print('A key or a link that was lost: --new-key, --admin-link.');
  }
  print(`Group ${group.groupCode}, entity ${group.entityCode}, administrator ${group.administrator}.`);
  print(`API key, shown this once:  ${group.apiKey}`);
  await administratorLink({ calls, print, scope: new WorkScope(group.groupId, 'operator', cause) }, administrator);
};

/** The admin commands of auth: an installation begins here. */
export const authAdminCommands: readonly AdminCommand[] = [
  {
    name: 'provision',
    takes: 'EMAIL',
    about: 'make the first group with this administrator; prints its code, a key and a link, once',
    execute: provision,
  },
  {
    name: 'new-key',
    about: 'issue another API key for the administrator of the first group',
    ofGroups: true,
    execute: async (context) => newKey(await askingFor(context)),
  },
  {
    name: 'admin-link',
    about: 'print a link with which the administrator sets a password',
    ofGroups: true,
    execute: async (context) => administratorLink(await askingFor(context), 'the administrator'),
  },
  {
    name: 'system-user',
    takes: 'EMAIL',
    about: 'let this person run the installation (SYSTEM), with a link where there is no password',
    ofGroups: true,
    execute: async (context) => systemUser(await askingFor(context), context.value),
  },
];
