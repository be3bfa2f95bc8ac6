import { snakeCase } from '@acervo/contracts';
import { OrganisationConflict } from '../kernel/auth.errors';

type Counts = Readonly<Record<string, number>>;

export const totalOf = (counts: object): number =>
  Object.values(counts as Counts).reduce((sum, count) => sum + count, 0);

/** The refusal of a deletion, with the counts of everything that still depends on its target, as its preview names them. */
export const blocked = (counts: object): OrganisationConflict => {
  const named = Object.entries(counts as Counts).map(([name, count]) => [snakeCase(name), count] as const);
  return new OrganisationConflict('HAS_DEPENDENTS', { ...Object.fromEntries(named), total: totalOf(counts) });
};
