import { Injectable } from '@nestjs/common';
import {
  type AuditLinks,
  type AuditRequest,
  type AuditVerdict,
  type Empty,
  listAudit,
  verifyAudit,
} from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import type { Scope, WorkScope } from '@acervo/rbac';
import { AnchorCheck } from './anchor-check';
import { isOperation, isUser, shown } from './audit-view';
import { AuditStore } from './audit.store';
import { ChainWalk } from './chain-walk';

/** The longest ACERVO_AUDIT_ANCHOR_SECONDS is one day; another one is left for a bucket that is away. */
const DAYS_TO_ANCHOR = 2;

/** Shows the audit records, and proves that they are unchanged. */
@Injectable()
export class AuditHandlers {
  constructor(
    private readonly database: Database,
    private readonly store: AuditStore,
    private readonly chain: ChainWalk,
    private readonly anchors: AnchorCheck,
  ) {}

  @Handles(listAudit)
  async list(scope: Scope, request: AuditRequest): Promise<AuditLinks> {
    const { actor, operation } = request;
    if ((actor !== undefined && !isUser(actor)) || (operation !== undefined && !isOperation(operation)))
      return { records: [], total: 0 };
    const { records, total } = await this.database.read(scope, (tx) => this.store.list(tx, request));
    return { records: records.map(shown), total };
  }

  @Handles(verifyAudit)
  async verify(scope: WorkScope, _input: Empty): Promise<AuditVerdict> {
    const anchored = await this.anchors.check(scope);
    const { last, broken } = await this.chain.walk(scope);
    const confirmed = anchored.lastAnchor?.number ?? 0;
    const unconfirmed = await this.database.read(scope, (tx) => this.store.firstOlder(tx, confirmed, DAYS_TO_ANCHOR));
    return { links: last.number, broken, ...anchored, unconfirmed };
  }
}
