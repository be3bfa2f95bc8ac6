import { forEachGroup, type Wish, WishFailed } from '@acervo/platform-service';
import { verifyAuditIn } from './verify-audit';

/** What the operator of a deployment asks of operations. */
export const operationsWishes: readonly Wish[] = [
  {
    name: 'verify-audit',
    about: 'walk the chain of audit records and tell whether each is as it was written',
    ofGroups: true,
    carryOut: (parts) =>
      forEachGroup(parts, async (scope, say) => {
        if (!(await verifyAuditIn(parts.calls, scope, say))) throw new WishFailed('The chain is broken.');
      }),
  },
];
