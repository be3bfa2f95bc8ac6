import type { ScopeClaims } from '../auth/credentials';
import type { EntityUsage } from './usage';

/**
 * The entities of the caller, and what was counted without one.
 * @param used by the whole group
 * @param counted by each entity of the group
 */
export const usageByEntity = (
  { entities }: Pick<ScopeClaims, 'entities'>,
  used: number,
  counted: ReadonlyMap<string, number>,
): EntityUsage[] => {
  const ofEntities = [...counted.values()].reduce((sum, count) => sum + count, 0);
  return [
    ...entities.toSorted().map((entityCode) => ({ entityCode, used: counted.get(entityCode) ?? 0 })),
    { entityCode: null, used: Math.max(0, used - ofEntities) },
  ];
};
