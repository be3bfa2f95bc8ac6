import type { Profile } from '@acervo/public-mapping';
import { levelOf, type Scope } from '@acervo/rbac';
import { SYSTEM } from '../catalogue/roles';
import { AboveOwnLevel, PeopleConflict, SystemOnly } from './refusals';

/** Whether the caller runs the installation and not one group. */
export const isSystem = (scope: Pick<Scope, 'profile'>): boolean => scope.profile === 'SISTEMA';

/** @throws AboveOwnLevel where somebody or something of a higher level is touched. */
export const assertReaches = (scope: Pick<Scope, 'profile'>, level: Profile | null): void => {
  if (level !== null && levelOf(level) > levelOf(scope.profile)) throw new AboveOwnLevel();
};

/** @throws SystemOnly for anybody else. */
export const assertSystem = (scope: Pick<Scope, 'profile'>): void => {
  if (!isSystem(scope)) throw new SystemOnly();
};

/** @throws where a role is not to be given by the caller, or by no route at all. */
export const assertMayGive = (scope: Pick<Scope, 'profile'>, role: { roleId: number; profile: Profile }): void => {
  assertReaches(scope, role.profile);
  if (role.roleId === SYSTEM.id) throw new PeopleConflict('ROLE_BY_COMMAND');
};
