import { entityReach } from '@acervo/contracts';
import type { ReachIn, Scope } from '@acervo/rbac';
import type { Calls } from './calls';

/** Asks auth for the folders that a caller reaches in an entity of their own outside of the focus. */
export const ownReach =
  (calls: Pick<Calls, 'send'>, scope: Scope): ReachIn =>
  async (entityCode) =>
    (await calls.send(entityReach, scope, { entityCode })).locationRoots;
