import { verifyAuditIn } from '@acervo/operations';
import type { Calls } from '@acervo/platform-calls';
import { WorkScope } from '@acervo/rbac';
import type { Say } from './intake';

/** Walks the chain of audit records of the group and says whether every record is what it was; answers that, too. */
export const verifyAuditFor = async (
  calls: Calls,
  { groupId }: { readonly groupId: string },
  say: Say,
): Promise<boolean> => verifyAuditIn(calls, new WorkScope(groupId, 'standalone', 'verify-audit'), say);
