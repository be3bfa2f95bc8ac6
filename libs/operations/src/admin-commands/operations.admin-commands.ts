import { type AdminCommand, adminCommand } from '@acervo/platform-service';
import { addPlans, assign } from './plans';
import { verifyAuditIn } from './verify-audit';

/** The admin commands of operations. */
export const operationsAdminCommands: readonly AdminCommand[] = [
  adminCommand('plans', addPlans),
  adminCommand('plan', assign),
  adminCommand('verify-audit', ({ calls, groups }) =>
    groups.each((scope, print) => verifyAuditIn(calls, scope, print)),
  ),
];
