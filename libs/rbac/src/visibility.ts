import { NotFound } from '@acervo/contracts';
import type { Scope } from './scope';

/** The data side of a scope, narrowed by one request: which documents exist for it. */
export interface Visibility {
  readonly groupId: string;
  readonly entities: readonly string[];
  /** Folders that the area in effect reaches; null: no restriction. */
  readonly locationRoots: readonly string[] | null;
  /** Folder that this request alone is narrowed to. */
  readonly locationCode: string | null;
}

/** What one request asks to narrow. */
export interface Narrowing {
  readonly entityCode?: string | undefined;
  readonly locationCode?: string | undefined;
}

/** @throws NotFound for an entity that the caller does not have: the same answer as for one that does not exist. */
export const visibilityOf = (scope: Scope, { entityCode, locationCode }: Narrowing = {}): Visibility => {
  const focus =
    scope.activeEntity === null ? scope.entities : scope.entities.filter((code) => code === scope.activeEntity);
  if (entityCode !== undefined && !focus.includes(entityCode)) throw new NotFound();
  return {
    groupId: scope.groupId,
    entities: entityCode === undefined ? focus : [entityCode],
    locationRoots: scope.locationRoots,
    locationCode: locationCode ?? null,
  };
};

/** A predicate over one table with the columns group_id, entity_code and location_ancestors (text[]). */
export interface Predicate {
  readonly sql: string;
  readonly params: readonly unknown[];
}

/**
 * The one formula of visibility as SQL: group AND entity AND area AND folder of this request. Parameters are numbered
 * from `first`; a restriction that does not apply leaves no trace in the text, so that the planner sees a plain query.
 */
export const visibilitySql = (visibility: Visibility, alias: string, first = 1): Predicate => {
  const params: unknown[] = [];
  const next = (value: unknown): string => `$${first + params.push(value) - 1}`;
  const parts = [
    `${alias}.group_id = ${next(visibility.groupId)}::uuid`,
    `${alias}.entity_code = any(${next(visibility.entities)}::text[])`,
    ...(visibility.locationRoots === null
      ? []
      : [`${alias}.location_ancestors && ${next(visibility.locationRoots)}::text[]`]),
    ...(visibility.locationCode === null
      ? []
      : [`${alias}.location_ancestors @> array[${next(visibility.locationCode)}::text]`]),
  ];
  return { sql: parts.join(' and '), params };
};

/** Whether a filter narrows below the group, which decides how deep and how exactly a leg reads. */
export const isRestricting = (visibility: Visibility, allEntities: readonly string[]): boolean =>
  visibility.locationRoots !== null ||
  visibility.locationCode !== null ||
  allEntities.some((code) => !visibility.entities.includes(code));
