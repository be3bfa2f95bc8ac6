import { retryFailed } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import type { Say } from '@acervo/platform-service';
import type { WorkScope } from '@acervo/rbac';

/** Has the documents of a group that failed worked on again, and says how many those are. */
export const retryFailedIn = async (calls: Calls, scope: WorkScope, say: Say): Promise<void> => {
  const { documents } = await calls.send(retryFailed, scope, {});
  if (documents === 0) return say('No document has failed.');
  say(
    documents === 1
      ? '1 document that had failed is worked on again.'
      : `${documents} documents that had failed are worked on again.`,
  );
};
