import { administratorLink, newKey, systemUser } from '@acervo/auth';
import type { ProvisionedGroup } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { WorkScope } from '@acervo/rbac';
import type { Print } from '../folders/ingest-folder';

/** Admin commands of a start about people. */
export interface PeopleCommands {
  /** Print a fresh link with which the administrator sets a password. */
  readonly adminLink?: boolean;
  /** Address of the person who becomes administrator of the installation. */
  readonly systemUser?: string | null;
  /** Issue another API key for the administrator. */
  readonly newKey?: boolean;
}

type Group = Pick<ProvisionedGroup, 'groupId' | 'administrator'>;

/** Executes the admin commands about people, of this start or of another one on the same data directory. */
export const executeForPeople = async (
  calls: Calls,
  group: Group,
  requested: PeopleCommands,
  print: Print,
): Promise<void> => {
  const asking = (cause: string) => ({ calls, print, scope: new WorkScope(group.groupId, 'standalone', cause) });
  if (requested.newKey === true) await newKey(asking('new-key'));
  if (requested.adminLink === true) await administratorLink(asking('admin-link'), group.administrator);
  if (typeof requested.systemUser === 'string') await systemUser(asking('system-user'), requested.systemUser);
};
