import { administratorLink, newKey, systemUser } from '@acervo/auth';
import type { ProvisionedGroup } from '@acervo/contracts';
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

/** Carries out what this start, or another one on the same data directory, asks about people. */
export const carryOutForPeople = async (
  calls: Calls,
  group: Group,
  wished: WishesForPeople,
  say: Say,
): Promise<void> => {
  const asking = (cause: string) => ({ calls, say, scope: new WorkScope(group.groupId, 'standalone', cause) });
  if (wished.newKey === true) await newKey(asking('new-key'));
  if (wished.adminLink === true) await administratorLink(asking('admin-link'), group.administrator);
  if (typeof wished.systemUser === 'string') await systemUser(asking('system-user'), wished.systemUser);
};
