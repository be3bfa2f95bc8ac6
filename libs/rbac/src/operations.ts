import {
  type Call,
  Forbidden,
  listDocuments,
  listRuns,
  type OperationRights,
  type ScopeClaims,
} from '@acervo/contracts';
import { reaches, type Requirement, requirements } from './requirements';
import type { AnyScope } from './scope';

/** The requirement of a route that answers an operation: one of the screens that use it, at any level. */
export const requirementOfOperation = ({ screens }: OperationRights): Requirement => requirements.anyOf(...screens);

/** Who uses an internal route of an operation: callers of its level with one of its screens, and SYSTEM users. */
export const executorsOf = ({ profile, screens }: OperationRights): Requirement => ({
  kind: 'level',
  profile,
  anyOf: screens,
});

/** Readers of documents: list, edges. */
export const readsDocuments = requirementOfOperation(listDocuments);
/** Readers of one document: also people whose answers cite it. */
export const readsOneDocument = requirements.anyOf(...listDocuments.screens, 'CHAT-USER', 'CHAT-FINAL-USER');
/** Users who follow the work on documents: queue and runs. */
export const followsIngestion = requirementOfOperation(listRuns);
/** Readers of the queue: who follows the work, and who runs skills, for own runs alone. */
export const readsQueue = requirements.anyOf(...listRuns.screens, 'DOCUMENTS', 'WORKSPACES');

/** Whether a caller sees and executes an operation: by its level and one of its screens, SYSTEM users included. */
export const mayExecute = (caller: Pick<ScopeClaims, 'functions' | 'profile'>, operation: OperationRights): boolean =>
  reaches(caller, requirementOfOperation(operation)) && reaches(caller, executorsOf(operation));

/** @throws Forbidden for a call about the group as a whole under a key that is fixed to a part of it. */
export const assertWithinReach = (scope: AnyScope, { reach }: Pick<Call, 'reach'>): void => {
  if (reach === 'group' && scope.kind === 'user' && scope.isFixed === true)
    throw new Forbidden('This belongs to the whole group; use a key that is not fixed to a part of it.');
};
