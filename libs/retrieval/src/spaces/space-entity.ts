import { Forbidden, NotFound } from '@acervo/contracts';
import { type Scope, visibilityOf } from '@acervo/rbac';
import { reaches } from '../space-members/space-access';

/** The entity that a fixed key gives to what it creates; undefined for any other credential. */
const fixedEntity = (scope: Scope): string | undefined =>
  scope.isFixed === true ? visibilityOf(scope).entities[0] : undefined;

/**
 * The entity of a new space: the one that is named, else the one in focus, else the whole group.
 * @throws NotFound for an entity that the caller does not have, or whose spaces the focus hides; Forbidden for the group under a fixed key
 */
export const entityOfNew = (scope: Scope, entityCode: string | null | undefined): string | null => {
  const fixed = fixedEntity(scope);
  if (entityCode === undefined) return fixed ?? scope.activeEntity;
  if (entityCode === null && fixed !== undefined)
    throw new Forbidden('The space belongs to the whole group; the key is fixed to a part of it.');
  if (entityCode !== null && !(scope.entities.includes(entityCode) && reaches(scope, { entityCode })))
    throw new NotFound();
  return entityCode;
};

/** The entity of a composed space: that of both operands, else the whole group. A fixed key gives its own. */
export const entityOfComposed = (scope: Scope, operands: readonly (string | null)[]): string | null => {
  const [first = null, ...others] = operands;
  return fixedEntity(scope) ?? (others.every((each) => each === first) ? first : null);
};
