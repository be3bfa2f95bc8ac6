import type { SpaceCriteria } from '@acervo/contracts';
import type { DocumentStatus } from '@acervo/public-mapping';
import type { Predicate } from '@acervo/rbac';
import { liveIndexSql } from '../embedding-indexes/live-index-sql';
import { globRegex, NAME_GLOB, PATH_GLOB } from './glob';

/** Only what is searched has a state here: its words are found, or its vectors too. */
const hasVectors: Partial<Record<DocumentStatus, boolean>> = { FRAGMENTADO: false, VECTORIZADO: true };

const statusSql = (status: DocumentStatus, alias: string): string => {
  const loaded = hasVectors[status];
  if (loaded === undefined) return 'false';
  return `exists (select from retrieval.live v where v.group_id = ${alias}.group_id and v.document_id = ${alias}.document_id
    and v.space_id = ${liveIndexSql(`${alias}.group_id`)} and v.has_vectors = ${loaded})`;
};

type Next = (value: unknown) => string;
type Condition = (next: Next) => string;

/** A condition with its values; undefined for a criterion that is absent. */
const present = <T>(value: T | undefined, sql: (operand: string) => string, operand = (each: T): unknown => each) =>
  value === undefined ? undefined : (next: Next): string => sql(next(operand(value)));

/** Every criterion but the query, whose documents are stored. */
const conditionsOf = (criteria: SpaceCriteria, alias: string): readonly (Condition | undefined)[] => {
  const { documentTypes, attributes, characteristics, locationCodes, status } = criteria;
  const overlaps = (column: string) => (codes: string) => `${alias}.${column} && ${codes}::text[]`;
  const { name, path, changedSince, language } = criteria;
  return [
    present(documentTypes, overlaps('type_codes')),
    present(attributes, overlaps('attribute_codes')),
    present(characteristics, overlaps('characteristic_codes')),
    present(locationCodes, overlaps('location_ancestors')),
    status === undefined ? undefined : () => statusSql(status, alias),
    present(
      name,
      (regex) => `${alias}.name ~ ${regex}`,
      (pattern) => globRegex(pattern, NAME_GLOB),
    ),
    present(
      path,
      (regex) => `${alias}.path ~ ${regex}`,
      (pattern) => globRegex(pattern, PATH_GLOB),
    ),
    present(changedSince, (moment) => `${alias}.changed_at >= ${moment}::timestamptz`),
    present(language, (code) => `${alias}.language = ${code}`),
  ];
};

/**
 * That a row of `retrieval.document` fulfils every criterion but the query. Parameters are numbered from `first`. No
 * criterion admits every document.
 */
export const criteriaSql = (criteria: SpaceCriteria, alias: string, first = 1): Predicate => {
  const params: unknown[] = [];
  const next: Next = (value) => `$${first + params.push(value) - 1}`;
  const parts = conditionsOf(criteria, alias).flatMap((condition) => (condition ? [condition(next)] : []));
  return { sql: parts.length === 0 ? 'true' : parts.join(' and '), params };
};
