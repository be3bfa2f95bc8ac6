import { issueAdministratorKey, issueAdministratorLink, issuePasswordLink, makeSystemUser } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import type { Say } from '@acervo/platform-service';
import type { WorkScope } from '@acervo/rbac';

/** Who asks something about the people of a group, for whoever can read what is said. */
export interface Asking {
  readonly calls: Calls;
  readonly scope: WorkScope;
  readonly say: Say;
}

/** Issues another key for the administrator. */
export const newKey = async ({ calls, scope, say }: Asking): Promise<void> => {
  const { apiKey } = await calls.send(issueAdministratorKey, scope, { name: 'Clave nueva' });
  say(`A new API key for the administrator, shown this once:  ${apiKey}`);
};

/** A link with which the administrator sets a password. */
export const administratorLink = async ({ calls, scope, say }: Asking, administrator: string): Promise<void> => {
  const { link } = await calls.send(issueAdministratorLink, scope, {});
  say('');
  say(`Password of ${administrator}: open this link within an hour, it works once.`);
  say(`  ${link}`);
};

/** Gives somebody the SYSTEM role; who has no password yet gets a link to set one. */
export const systemUser = async ({ calls, scope, say }: Asking, email: string): Promise<void> => {
  const { userId, state } = await calls.send(makeSystemUser, scope, { email });
  say('');
  say(`${email} is a SYSTEM user.`);
  if (state !== 'PENDIENTE') return;
  const { link } = await calls.send(issuePasswordLink, scope, { userId, purpose: 'INVITACION' });
  say(`The account has no password yet: open this link, it works once.`);
  say(`  ${link}`);
};
