import { setTimeout as pause } from 'node:timers/promises';
import { gatherImportedSpace, listUngatheredSpaces } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import type { WorkScope } from '@acervo/rbac';

const LOOK_EVERY_MS = 500;
/** Gathering a space of any size in the background ends within this time; otherwise the next start continues. */
const LONGEST_WAIT_MS = 600_000;

/** What gathering needs of its program. */
interface GatheringDependencies {
  readonly calls: Calls;
  readonly stopped: () => boolean;
}

/**
 * Gathers the spaces of a group that were imported and not gathered since; a composed one after those it is composed
 * of. Returns how many it gathered.
 */
const gatherGroup = async ({ calls, stopped }: GatheringDependencies, scope: WorkScope): Promise<number> => {
  let gathered = 0;
  let until = Date.now() + LONGEST_WAIT_MS;
  while (!stopped() && Date.now() < until) {
    const { spaces, running } = await calls.send(listUngatheredSpaces, scope, {});
    for (const { spaceId } of spaces) await calls.send(gatherImportedSpace, scope, { spaceId });
    gathered += spaces.length;
    if (spaces.length > 0) until = Date.now() + LONGEST_WAIT_MS;
    else if (running === 0) break;
    else await pause(LOOK_EVERY_MS);
  }
  return gathered;
};

/** Gathers the imported spaces of all groups. Called once documents have arrived; a later start continues it. */
export const gatherImportedSpaces = async (
  dependencies: GatheringDependencies,
  scopes: readonly WorkScope[],
): Promise<number> => {
  let gathered = 0;
  for (const scope of scopes) gathered += await gatherGroup(dependencies, scope);
  return gathered;
};
