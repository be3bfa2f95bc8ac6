import { verifyAudit } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import type { Say } from '@acervo/platform-service';
import type { WorkScope } from '@acervo/rbac';

/** Walks the chain of audit records of a group and says whether every record is what it was; answers that. */
export const verifyAuditIn = async (calls: Calls, scope: WorkScope, say: Say): Promise<boolean> => {
  const { links, broken } = await calls.send(verifyAudit, scope, {});
  say(
    broken === null
      ? `Audit: ${links} records, each as it was written.`
      : `Audit: record ${broken} is not what was written, or is missing; the ${links} before it are whole. Compare it with a backup.`,
  );
  return broken === null;
};
