import { forEachGroup, type AdminCommand, AdminCommandFailed } from '@acervo/platform-service';
import { verifyAuditIn } from './verify-audit';

/** The admin commands of operations. */
export const operationsAdminCommands: readonly AdminCommand[] = [
  {
    name: 'verify-audit',
    about: 'walk the chain of audit records and tell whether each is as it was written',
    ofGroups: true,
    execute: (parts) =>
      forEachGroup(parts, async (scope, print) => {
        if (!(await verifyAuditIn(parts.calls, scope, print))) throw new AdminCommandFailed('The chain is broken.');
      }),
  },
];
