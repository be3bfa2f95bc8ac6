import { Forbidden, NotFound } from '@acervo/contracts';
import { levelOf, type Predicate, type Scope, visibilityOf } from '@acervo/rbac';

/** What decides who sees a space, and who changes it. */
export interface SpaceOwnership {
  readonly type: 'AREA' | 'ESPACIO';
  /** Null: documents of the whole group. */
  readonly entityCode: string | null;
  /** Null: it belongs to the administrators. */
  readonly ownerId: string | null;
}

const isAdministrator = ({ profile }: Scope): boolean => levelOf(profile) >= levelOf('ADMINISTRADOR');

/** The group is in reach of every caller; a part of it, of those who may see it, and of administrators without a fixed key. */
export const reaches = (scope: Scope, { entityCode }: Pick<SpaceOwnership, 'entityCode'>): boolean =>
  entityCode === null ||
  visibilityOf(scope).entities.includes(entityCode) ||
  (isAdministrator(scope) && scope.isFixed !== true);

const administers = (scope: Scope, space: SpaceOwnership): boolean =>
  isAdministrator(scope) && (scope.isFixed !== true || space.entityCode !== null) && reaches(scope, space);

const owns = ({ userId }: Scope, { ownerId }: SpaceOwnership): boolean => userId === ownerId;

/** An AREA is seen by its owner and by administrators in reach, a shared space by everybody in reach. */
export const seesSpace = (scope: Scope, space: SpaceOwnership): boolean =>
  reaches(scope, space) && (space.type === 'ESPACIO' || owns(scope, space) || administers(scope, space));

/** A space is changed by its owner and by administrators in reach. */
export const mayChange = (scope: Scope, space: SpaceOwnership): boolean =>
  seesSpace(scope, space) && (owns(scope, space) || administers(scope, space));

/** @throws NotFound for a space that is absent or invisible; Forbidden for a visible one of another owner */
export const assertMayChange = (scope: Scope, space: SpaceOwnership | undefined): void => {
  if (space === undefined || !seesSpace(scope, space)) throw new NotFound();
  if (!mayChange(scope, space)) throw new Forbidden('Only its owner or an administrator changes this space.');
};

/** `seesSpace` over rows of `retrieval.space` of the scope's group. Parameters are numbered from `first`. */
export const visibleSpacesSql = (scope: Scope, alias: string, first = 1): Predicate => {
  const isFree = isAdministrator(scope) && scope.isFixed !== true;
  const [entities, user, free, administrator] = [0, 1, 2, 3].map((place) => `$${first + place}`);
  return {
    sql: `(${free}::boolean or ${alias}.entity_code is null or ${alias}.entity_code = any(${entities}::text[]))
      and (${alias}.type = 'ESPACIO' or ${alias}.owner_id = ${user}::uuid or ${free}::boolean
        or (${administrator}::boolean and ${alias}.entity_code is not null))`,
    params: [visibilityOf(scope).entities, scope.userId, isFree, isAdministrator(scope)],
  };
};
