import { setTimeout as pause } from 'node:timers/promises';
import { rebuildCopies, rebuildState } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { type AdminCommand, adminCommand, AdminCommandFailed, type Print } from '@acervo/platform-service';
import type { WorkScope } from '@acervo/rbac';

const EVERY_MS = 1_000;
const PRINT_EVERY_MS = 30_000;

/** Fills a new index of the group from the database, and waits until it is live. */
const rebuildAllCopies = async (calls: Calls, scope: WorkScope, print: Print): Promise<void> => {
  const since = new Date().toISOString();
  const { isPlanned } = await calls.send(rebuildCopies, scope, {});
  if (!isPlanned) return print('The database ranks words here; there is no other index.');
  print('A new index is filled in OpenSearch; the old one is searched until the new one is complete.');
  let state = await calls.send(rebuildState, scope, { since });
  for (let printedAt = Date.now(); state.isFilling; await pause(EVERY_MS)) {
    state = await calls.send(rebuildState, scope, { since });
    if (!state.isFilling || Date.now() - printedAt < PRINT_EVERY_MS) continue;
    print('It is being filled.');
    printedAt = Date.now();
  }
  if (state.isUnfinished)
    throw new AdminCommandFailed(
      'The new index is not complete, so the old one is searched; the log of retrieval says why.',
    );
  print('The new index is searched; the old one is deleted in a minute.');
};

/** The admin commands of retrieval. */
export const retrievalAdminCommands: readonly AdminCommand[] = [
  adminCommand('rebuild-copies', ({ calls, groups }) =>
    groups.each((scope, print) => rebuildAllCopies(calls, scope, print)),
  ),
];
