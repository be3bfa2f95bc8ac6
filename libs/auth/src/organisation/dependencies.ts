import { OrganisationConflict } from './organisation.errors';

type Counts = Readonly<Record<string, number>>;

export const totalOf = (counts: object): number =>
  Object.values(counts as Counts).reduce((sum, count) => sum + count, 0);

/** The refusal of a deletion, with the counts of everything that still depends on its target. */
export const blocked = (counts: object): OrganisationConflict =>
  new OrganisationConflict('HAS_DEPENDENTS', { ...counts, total: totalOf(counts) });
