import type { Visibility } from '@acervo/rbac';

/** A clause of the query language. */
export type Clause = Readonly<Record<string, unknown>>;

/** How often each term stands in a query: the engine adds up what stands several times. */
const counted = (terms: string): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const term of terms.split(' ')) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
};

/** Chunks that hold any of the terms, which are separated by spaces and count as often as they stand. */
export const termsClauses = (terms: string): Clause[] =>
  [...counted(terms)].map(([value, boost]) => ({ term: { terms: { value, boost } } }));

/**
 * The visibility of a caller as the index knows it, which may be a moment behind: it decides how deep a search reads,
 * and the database decides what is seen.
 */
export const visibilityClauses = ({ entities, locationRoots, locationCode }: Visibility): Clause[] => [
  { terms: { entity_code: entities } },
  ...(locationRoots === null ? [] : [{ terms: { location_ancestors: locationRoots } }]),
  ...(locationCode === null ? [] : [{ term: { location_ancestors: locationCode } }]),
];
