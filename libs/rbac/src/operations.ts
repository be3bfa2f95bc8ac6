import { type Call, Forbidden, type OperationRights, type ScopeClaims } from '@acervo/contracts';
import { reaches, type Requirement, requirements } from './requirements';
import type { AnyScope } from './scope';

/** The requirement of a route that answers an operation: one of the screens that use it, at any level. */
export const requirementOfOperation = ({ screens }: OperationRights): Requirement => requirements.anyOf(...screens);

/** Whether a caller sees and executes an operation: its level and one of its screens, or the SYSTEM level. */
export const mayExecute = (
  caller: Pick<ScopeClaims, 'functions' | 'profile'>,
  { profile, screens }: OperationRights,
): boolean => reaches(caller, { kind: 'level', profile, anyOf: screens });

/** @throws Forbidden for a call about the group as a whole under a key that is fixed to a part of it. */
export const assertWithinReach = (scope: AnyScope, { reach }: Pick<Call, 'reach'>): void => {
  if (reach === 'group' && scope.kind === 'user' && scope.isFixed === true)
    throw new Forbidden('This belongs to the whole group; use a key that is not fixed to a part of it.');
};
