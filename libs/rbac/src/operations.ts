import type { OperationRights, ScopeClaims } from '@acervo/contracts';
import { reaches, type Requirement, requirements } from './requirements';

/** The requirement of a route that answers an operation: one of the screens that use it, at any level. */
export const requirementOfOperation = ({ screens }: OperationRights): Requirement => requirements.anyOf(...screens);

/** Whether a caller sees and executes an operation: its level and one of its screens, or the SYSTEM level. */
export const mayExecute = (
  caller: Pick<ScopeClaims, 'functions' | 'profile'>,
  { profile, screens }: OperationRights,
): boolean => reaches(caller, { kind: 'level', profile, anyOf: screens });
