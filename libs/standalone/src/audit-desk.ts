import { verifyAudit } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { WorkScope } from '@acervo/rbac';
import type { Say } from './intake';

/** Walks the chain of audit records of the group and says whether every record is what it was; answers that, too. */
export const verifyAuditFor = async (
  calls: Calls,
  { groupId }: { readonly groupId: string },
  say: Say,
): Promise<boolean> => {
  const { links, broken } = await calls.send(verifyAudit, new WorkScope(groupId, 'standalone', 'verify-audit'), {});
  say(
    broken === null
      ? `Audit: ${links} records, each as it was written.`
      : `Audit: record ${broken} is not what was written, or is missing; the ${links} before it are whole. Compare it with a backup.`,
  );
  return broken === null;
};
