import type { Profile } from '@acervo/public-mapping';
import { levelOf, type Scope } from '@acervo/rbac';
import { SYSTEM } from '../kernel/built-in-roles';
import { AboveOwnLevel, PeopleConflict, SystemOnly } from './auth.errors';

/** Whether the caller, or a user, is of SYSTEM and not of one group alone. */
export const isSystem = (scope: { readonly profile: Profile | null }): boolean => scope.profile === 'SISTEMA';

/** @throws AboveOwnLevel for a target of a higher level. */
export const assertReaches = (scope: Pick<Scope, 'profile'>, level: Profile | null): void => {
  if (level !== null && levelOf(level) > levelOf(scope.profile)) throw new AboveOwnLevel();
};

/** @throws SystemOnly for any other caller. */
export const assertSystem = (scope: Pick<Scope, 'profile'>): void => {
  if (!isSystem(scope)) throw new SystemOnly();
};

/** @throws for a role that the caller, or any route, may not give. */
export const assertMayGive = (scope: Pick<Scope, 'profile'>, role: { roleId: number; profile: Profile }): void => {
  assertReaches(scope, role.profile);
  if (role.roleId === SYSTEM.id) throw new PeopleConflict('ROLE_BY_COMMAND');
};
