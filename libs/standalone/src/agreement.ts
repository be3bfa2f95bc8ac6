import { reportStores, type StoresReport } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import type { WorkScope } from '@acervo/rbac';

/** Whether the stores agreed when they were compared last, in one line; nothing before the first time. */
export const agreementLine = (report: StoresReport): string | undefined => {
  const { finishedAt, documents, objects, differences, copiesUnread } = report;
  if (finishedAt === null) return undefined;
  const unread = copiesUnread === 0 ? '' : `; the copies of ${copiesUnread} in OpenSearch could not be looked at`;
  const seen = `${documents} documents and ${objects} objects compared at ${finishedAt}${unread}`;
  if (differences.length === 0) return `The stores agree: ${seen}.`;
  const kinds = differences.map(({ kind, found, repaired }) => `${kind} ${found} (${repaired} put right)`);
  return `The stores differed: ${kinds.join(', ')}; ${seen}.`;
};

export const tellAgreement = async (calls: Calls, scope: WorkScope, say: (line: string) => void): Promise<void> => {
  const line = agreementLine(await calls.send(reportStores, scope, {}));
  if (line !== undefined) say(line);
};
