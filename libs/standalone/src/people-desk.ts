import {
  issueAdministratorKey,
  issueAdministratorLink,
  issuePasswordLink,
  makeSystemUser,
  type ProvisionedGroup,
} from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { WorkScope } from '@acervo/rbac';
import type { Say } from './intake';

/** What a start may ask about people. */
export interface WishesForPeople {
  /** Print a fresh link with which the administrator sets a password. */
  readonly adminLink?: boolean;
  /** Address of a person who shall run the installation. */
  readonly systemUser?: string | null;
  /** Issue another API key for the administrator. */
  readonly newKey?: boolean;
}

type Group = Pick<ProvisionedGroup, 'groupId' | 'administrator'>;

/** A link with which the administrator sets a password, for whoever can read this terminal. */
const sayLink = async (calls: Calls, { groupId, administrator }: Group, say: Say): Promise<void> => {
  const { link } = await calls.send(issueAdministratorLink, new WorkScope(groupId, 'standalone', 'admin-link'), {});
  say('');
  say(`Password of ${administrator}: open this link within an hour, it works once.`);
  say(`  ${link}`);
};

/** Gives somebody the SYSTEM role; who has no password yet gets a link to set one. */
const makeSystem = async (calls: Calls, { groupId }: Group, email: string, say: Say): Promise<void> => {
  const scope = new WorkScope(groupId, 'standalone', 'system-user');
  const { userId, state } = await calls.send(makeSystemUser, scope, { email });
  say('');
  say(`${email} is a SYSTEM user.`);
  if (state !== 'PENDIENTE') return;
  const { link } = await calls.send(issuePasswordLink, scope, { userId, purpose: 'INVITACION' });
  say(`The account has no password yet: open this link, it works once.`);
  say(`  ${link}`);
};

/** Carries out what this start, or another one on the same data directory, asks about people. */
export const carryOutForPeople = async (
  calls: Calls,
  group: Group,
  { adminLink, systemUser, newKey }: WishesForPeople,
  say: Say,
): Promise<void> => {
  if (newKey === true) {
    const scope = new WorkScope(group.groupId, 'standalone', 'new-key');
    const { apiKey } = await calls.send(issueAdministratorKey, scope, { name: 'Clave nueva' });
    say(`A new API key for the administrator, shown this once:  ${apiKey}`);
  }
  if (adminLink === true) await sayLink(calls, group, say);
  if (typeof systemUser === 'string') await makeSystem(calls, group, systemUser, say);
};
