import { retryFailed } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import type { Print } from '@acervo/platform-service';
import type { WorkScope } from '@acervo/rbac';

/** Retries the failed documents of a group, and prints how many there are. */
export const retryFailedIn = async (calls: Calls, scope: WorkScope, print: Print): Promise<void> => {
  const { documents } = await calls.send(retryFailed, scope, {});
  if (documents === 0) return print('No document has failed.');
  print(
    documents === 1
      ? '1 document that had failed is worked on again.'
      : `${documents} documents that had failed are worked on again.`,
  );
};
