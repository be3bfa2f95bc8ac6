import { verifyAudit } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import type { Print } from '@acervo/platform-service';
import type { WorkScope } from '@acervo/rbac';

/** Walks the chain of audit records of a group; prints and returns whether every record is unchanged. */
export const verifyAuditIn = async (calls: Calls, scope: WorkScope, print: Print): Promise<boolean> => {
  const { links, broken } = await calls.send(verifyAudit, scope, {});
  print(
    broken === null
      ? `Audit: ${links} records, each as it was written.`
      : `Audit: record ${broken} is not what was written, or is missing; the ${links} before it are whole. Compare it with a backup.`,
  );
  return broken === null;
};
