import { ContextConflict, InvalidContext, NotFound } from '@acervo/contracts';
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

/** What one request narrows. */
export interface Narrowing {
  readonly entityCode?: string | undefined;
  readonly locationCode?: string | undefined;
}

const focusOf = ({ focusIsStale, entities, activeEntity }: Scope): readonly string[] => {
  if (focusIsStale === true) throw new ContextConflict();
  return activeEntity === null ? entities : entities.filter((code) => code === activeEntity);
};

/**
 * Whether an entity is in focus. What a caller reaches in another entity, auth knows (`scope.entity_reach`).
 * @throws ContextConflict as `visibilityOf` does
 */
export const isInFocus = (scope: Scope, entityCode: string): boolean => focusOf(scope).includes(entityCode);

/** The entities that a request may see: those in focus, or the one of them that it names. */
const entitiesIn = (scope: Scope, entityCode: string | undefined): readonly string[] => {
  const focus = focusOf(scope);
  if (entityCode === undefined) {
    if (scope.needsFocus === true) throw new InvalidContext();
    return focus;
  }
  if (!focus.includes(entityCode)) throw new NotFound();
  return [entityCode];
};

/**
 * @throws ContextConflict under a focus outside the permission: every read fails until the focus is released or
 * replaced
 * @throws InvalidContext where the caller has areas of several entities, and neither focus nor request names one
 * @throws NotFound for an entity that the caller does not have, the same answer as for an unknown one
 */
export const visibilityOf = (scope: Scope, { entityCode, locationCode }: Narrowing = {}): Visibility => {
  const entities = entitiesIn(scope, entityCode);
  if (!scope.isComplete) throw new Error('The folders of this scope must be fetched before anything is read under it.');
  const { groupId, locationRoots } = scope;
  return { groupId, entities, locationRoots, locationCode: locationCode ?? null };
};

/** The folders that a caller reaches in an entity of their own; null: all. @throws NotFound for another entity */
export type ReachIn = (entityCode: string) => Promise<readonly string[] | null>;

/**
 * What a request sees that may name any entity of its caller, also one outside of the focus. The focus stays.
 * @throws ContextConflict, InvalidContext and NotFound as `visibilityOf` does
 */
export const visibilityOfRequest = async (
  scope: Scope,
  { entityCode, locationCode }: Narrowing,
  reachIn: ReachIn,
): Promise<Visibility> => {
  if (entityCode === undefined || isInFocus(scope, entityCode))
    return visibilityOf(scope, { entityCode, locationCode });
  const locationRoots = await reachIn(entityCode);
  return { groupId: scope.groupId, entities: [entityCode], locationRoots, locationCode: locationCode ?? null };
};

/**
 * The one entity that a request is about: the one it names, else the one in focus, else the only one.
 * @throws InvalidContext if there are none or several; ContextConflict and NotFound as `visibilityOf` does
 */
export const entityOf = (scope: Scope, entityCode?: string): string => {
  const [only, ...others] = entitiesIn(scope, entityCode);
  if (only === undefined || others.length > 0) throw new InvalidContext();
  return only;
};

/** A predicate over one table with the columns group_id, entity_code and location_ancestors (text[]). */
export interface Predicate {
  readonly sql: string;
  readonly params: readonly unknown[];
}

/**
 * Up to this many roots are compared one by one, which an index supports. Above it they are looked up by name, at
 * constant cost.
 */
const MOST_COMPARED = 16;

const withinRoots = (roots: readonly string[], alias: string, next: (value: unknown) => string): string =>
  roots.length <= MOST_COMPARED
    ? `${alias}.location_ancestors && ${next(roots)}::text[]`
    : `${next(JSON.stringify(Object.fromEntries(roots.map((code) => [code, 1]))))}::jsonb ?| ${alias}.location_ancestors`;

/**
 * The one formula of visibility as SQL: group AND entity AND area AND folder of this request. Parameters are numbered
 * from `first`; an unused restriction adds nothing to the text, so that the planner sees a simple query.
 */
export const visibilitySql = (visibility: Visibility, alias: string, first = 1): Predicate => {
  const params: unknown[] = [];
  const next = (value: unknown): string => `$${first + params.push(value) - 1}`;
  const parts = [
    `${alias}.group_id = ${next(visibility.groupId)}::uuid`,
    `${alias}.entity_code = any(${next(visibility.entities)}::text[])`,
    ...(visibility.locationRoots === null ? [] : [withinRoots(visibility.locationRoots, alias, next)]),
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
