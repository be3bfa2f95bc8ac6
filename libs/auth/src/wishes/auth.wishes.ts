import { provisionFirstGroup } from '@acervo/contracts';
import { scopeOfGroup, type Wish, type WishParts } from '@acervo/platform-service';
import { anonymous, WorkScope } from '@acervo/rbac';
import { administratorLink, type Asking, newKey, systemUser } from './people';

const GROUP_NAME = 'Acervo';

const askingFor = async (parts: WishParts): Promise<Asking> => ({ ...parts, scope: await scopeOfGroup(parts) });

/** Makes the first group, or tells of the one that is there. */
const provision = async ({ calls, value: administrator, cause, say }: WishParts): Promise<void> => {
  const group = await calls.send(provisionFirstGroup, anonymous, { groupName: GROUP_NAME, administrator });
  if (group.apiKey === null) {
    say(`The first group is there: ${group.groupCode}, administrator ${group.administrator}. Nothing was changed.`);
    return say('A key or a link that was lost: --new-key, --admin-link.');
  }
  say(`Group ${group.groupCode}, entity ${group.entityCode}, administrator ${group.administrator}.`);
  say(`API key, shown this once:  ${group.apiKey}`);
  await administratorLink({ calls, say, scope: new WorkScope(group.groupId, 'operator', cause) }, administrator);
};

/** What the operator of a deployment asks of auth: an installation begins here. */
export const authWishes: readonly Wish[] = [
  {
    name: 'provision',
    takes: 'EMAIL',
    about: 'make the first group with this administrator; prints its code, a key and a link, once',
    carryOut: provision,
  },
  {
    name: 'new-key',
    about: 'issue another API key for the administrator of the first group',
    ofGroups: true,
    carryOut: async (parts) => newKey(await askingFor(parts)),
  },
  {
    name: 'admin-link',
    about: 'print a link with which the administrator sets a password',
    ofGroups: true,
    carryOut: async (parts) => administratorLink(await askingFor(parts), 'the administrator'),
  },
  {
    name: 'system-user',
    takes: 'EMAIL',
    about: 'let this person run the installation (SYSTEM), with a link where there is no password',
    ofGroups: true,
    carryOut: async (parts) => systemUser(await askingFor(parts), parts.value),
  },
];
