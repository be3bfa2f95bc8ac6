import { SpaceCriteria } from '@acervo/contracts';
import { MOST_WILDCARDS, wildcardsOf } from '../space-members/glob';
import type { SpaceOwnership } from '../space-members/space-access';
import { CriteriaRefused } from './spaces.errors';

const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);

/** The criteria that are given, and nothing else: an empty list asks for nothing. */
export const givenCriteria = (criteria: SpaceCriteria): SpaceCriteria =>
  Object.assign(
    new SpaceCriteria(),
    Object.fromEntries(Object.entries(criteria).filter(([, value]) => isGiven(value))),
  );

/** The criteria to store for a space. @throws CriteriaRefused */
export const checkedCriteria = (criteria: SpaceCriteria, type: SpaceOwnership['type']): SpaceCriteria => {
  const present = givenCriteria(criteria);
  const { query, minSimilarity, queryLimit } = present;
  if (query === undefined && minSimilarity !== undefined)
    throw new CriteriaRefused('QUERY_MISSING', 'criteria.min_similarity');
  if (query === undefined && queryLimit !== undefined)
    throw new CriteriaRefused('QUERY_MISSING', 'criteria.query_limit');
  if (Object.keys(present).length === 0) throw new CriteriaRefused('NO_CRITERION', 'criteria');
  if (query !== undefined && type !== 'AREA') throw new CriteriaRefused('QUERY_NEEDS_AREA', 'criteria.query');
  for (const field of ['name', 'path'] as const)
    if (wildcardsOf(present[field] ?? '') > MOST_WILDCARDS)
      throw new CriteriaRefused('TOO_MANY_WILDCARDS', `criteria.${field}`);
  return present;
};
