import { InvalidContext, NotFound } from '@acervo/contracts';
import type { Scope } from '@acervo/rbac';

/**
 * The one entity that a request is about: the one it names, else the one in focus, else the only one.
 * @throws NotFound for one that the caller does not have in focus; InvalidContext where there are none or several.
 */
export const entityOf = (scope: Scope, entityCode?: string): string => {
  const { entities, activeEntity } = scope;
  const focus = activeEntity === null ? entities : entities.filter((code) => code === activeEntity);
  if (entityCode !== undefined && !focus.includes(entityCode)) throw new NotFound();
  const [only, ...others] = entityCode === undefined ? focus : [entityCode];
  if (only === undefined || others.length > 0) throw new InvalidContext();
  return only;
};
