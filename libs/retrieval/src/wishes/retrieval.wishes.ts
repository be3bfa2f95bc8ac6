import { setTimeout as pause } from 'node:timers/promises';
import { rebuildCopies, rebuildState } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { forEachGroup, type Say, type Wish, WishFailed } from '@acervo/platform-service';
import type { WorkScope } from '@acervo/rbac';

const EVERY_MS = 1_000;
const SAY_EVERY_MS = 30_000;

/** Has a new index of the group filled from the database, and waits until it is searched. */
const copyAnew = async (calls: Calls, scope: WorkScope, say: Say): Promise<void> => {
  const since = new Date().toISOString();
  const { isPlanned } = await calls.send(rebuildCopies, scope, {});
  if (!isPlanned) return say('The database ranks words here; there is no other index.');
  say('A new index is filled in OpenSearch; the old one is searched until nothing lacks.');
  let state = await calls.send(rebuildState, scope, { since });
  for (let saidAt = Date.now(); state.isFilling; await pause(EVERY_MS)) {
    state = await calls.send(rebuildState, scope, { since });
    if (!state.isFilling || Date.now() - saidAt < SAY_EVERY_MS) continue;
    say('It is being filled.');
    saidAt = Date.now();
  }
  if (state.isUnfinished)
    throw new WishFailed('The new index is not whole, so the old one is searched; the log of retrieval says why.');
  say('The new index is searched; the old one goes in a minute.');
};

/** What the operator of a deployment asks of retrieval. */
export const retrievalWishes: readonly Wish[] = [
  {
    name: 'rebuild-copies',
    about: 'fill a new index in OpenSearch from the database, and search it instead of the old one',
    ofGroups: true,
    carryOut: (parts) => forEachGroup(parts, (scope, say) => copyAnew(parts.calls, scope, say)),
  },
];
