import { issueAdministratorKey, issueAdministratorLink, issuePasswordLink, makeSystemUser } from '@acervo/contracts';
import type { AdminCommandContext } from '@acervo/platform-service';
import type { WorkScope } from '@acervo/rbac';

/** What the admin commands about the people of a group need; `print` writes for the operator. */
export type Asking = Pick<AdminCommandContext, 'calls' | 'print' | 'showKey'> & { readonly scope: WorkScope };

/** Issues a further key for the administrator. */
export const newKey = async ({ calls, scope, print, showKey }: Asking): Promise<void> => {
  const { apiKey } = await calls.send(issueAdministratorKey, scope, { name: 'Clave nueva' });
  if (showKey === undefined) print(`A new API key for the administrator, shown this once:  ${apiKey}`);
  else showKey(apiKey);
};

/** Issues a link with which the administrator sets a password. */
export const administratorLink = async ({ calls, scope, print }: Asking): Promise<void> => {
  const { link, administrator } = await calls.send(issueAdministratorLink, scope, {});
  print('');
  print(`Password of ${administrator}: open this link within an hour, it works once.`);
  print(`  ${link}`);
};

/** Gives a user the SYSTEM role. A user without a password gets a link to set one. */
export const systemUser = async ({ calls, scope, print }: Asking, email: string): Promise<void> => {
  const { userId, state } = await calls.send(makeSystemUser, scope, { email });
  print('');
  print(`${email} is a SYSTEM user.`);
  if (state !== 'PENDIENTE') return;
  const { link } = await calls.send(issuePasswordLink, scope, { userId, purpose: 'INVITACION' });
  print(`The account has no password yet: open this link, it works once.`);
  print(`  ${link}`);
};
