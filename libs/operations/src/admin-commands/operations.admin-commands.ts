import { type AdminCommand, adminCommand } from '@acervo/platform-service';
import { verifyAuditIn } from './verify-audit';

/** The admin commands of operations. */
export const operationsAdminCommands: readonly AdminCommand[] = [
  adminCommand('verify-audit', ({ calls, groups }) =>
    groups.each((scope, print) => verifyAuditIn(calls, scope, print)),
  ),
];
