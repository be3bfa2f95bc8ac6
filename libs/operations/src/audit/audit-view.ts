import { allOperations, type AuditLink } from '@acervo/contracts';
import { roleCode } from '@acervo/public-mapping';
import type { NumberedRecord } from './audit.store';

/** Users have addresses. All other actors are services. */
export const isUser = (actor: string): boolean => actor.includes('@');

export const isOperation = (code: string): boolean => allOperations().some((operation) => operation.code === code);

const ROLE = /^role:(.*)$/s;

/** A target under its public name. A role that was named by its number has none. */
const publicTarget = (target: string): string | null => {
  const role = ROLE.exec(target)?.[1];
  if (role === undefined) return target;
  return /^\d+$/.test(role) ? null : `role:${roleCode.toPublic(role)}`;
};

/** A record as administrators read it: public names only, without call codes, callers and credential ids. */
export const shown = ({ number, call, outcome, error, actor, at, ...concern }: NumberedRecord): AuditLink => {
  const { subject = null, target = null } = concern;
  return {
    ...{ number, outcome, error, at, subject },
    operation: isOperation(call) ? call : null,
    actor: isUser(actor) ? actor : null,
    target: target === null ? null : publicTarget(target),
  };
};
