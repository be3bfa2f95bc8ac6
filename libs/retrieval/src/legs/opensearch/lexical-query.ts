import { requiredCodes, type SearchedDocuments } from '../searched-documents';

/** A clause of the query language. */
export type Clause = Readonly<Record<string, unknown>>;

/** How often each term occurs in a query: the engine adds up repeated terms. */
const counted = (terms: string): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const term of terms.split(' ')) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
};

/** Chunks that contain any of the terms, which are separated by spaces and weighted by their number in the query. */
export const termsClauses = (terms: string): Clause[] =>
  [...counted(terms)].map(([value, boost]) => ({ term: { terms: { value, boost } } }));

/**
 * The documents of a search in the index, which may be a moment behind. It decides how deep a search reads; the
 * database decides what is found.
 */
export const searchedClauses = (searched: SearchedDocuments): Clause[] => {
  const { entities, locationRoots, locationCode } = searched;
  return [
    { terms: { entity_code: entities } },
    ...(locationRoots === null ? [] : [{ terms: { location_ancestors: locationRoots } }]),
    ...(locationCode === null ? [] : [{ term: { location_ancestors: locationCode } }]),
    ...requiredCodes(searched).map(([field, codes]) => ({ terms: { [field]: codes } })),
  ];
};
