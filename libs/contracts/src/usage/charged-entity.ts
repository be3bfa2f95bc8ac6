import type { ScopeClaims } from '../auth/credentials';

/**
 * The entity that usage is counted for: the one that the request names, else the one in focus, else the first one of
 * the caller by code; null for a caller without entities.
 */
export const chargedEntity = (
  { activeEntity, entities }: Pick<ScopeClaims, 'activeEntity' | 'entities'>,
  named?: string,
): string | null => named ?? activeEntity ?? entities.toSorted()[0] ?? null;
