import { OrganisationConflict } from './conflicts';

type Counts = Readonly<Record<string, number>>;

export const totalOf = (counts: object): number =>
  Object.values(counts as Counts).reduce((sum, count) => sum + count, 0);

/** The refusal of a deletion, with everything that still depends on what was to go. */
export const blocked = (counts: object): OrganisationConflict =>
  new OrganisationConflict('HAS_DEPENDENTS', { ...counts, total: totalOf(counts) });
