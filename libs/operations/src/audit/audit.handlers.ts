import { Injectable } from '@nestjs/common';
import {
  auditRecorded,
  type AuditLinks,
  type AuditRecord,
  type AuditRequest,
  type AuditVerdict,
  type Empty,
  listAudit,
  verifyAudit,
} from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import { Database, type Transaction } from '@acervo/platform-database';
import { On } from '@acervo/platform-messaging';
import type { Scope, WorkScope } from '@acervo/rbac';
import { AnchorCheck } from './anchor-check';
import { AnchorPlan } from './anchor.stage';
import { AuditChain, BEGINNING } from './audit-chain';
import { isOperation, isUser, shown } from './audit-view';
import { AuditStore, type KeptLink } from './audit.store';

const PAGE = 500;

/** Records the writes that every service reports, shows the records, and proves that they are unchanged. */
@Injectable()
export class AuditHandlers {
  constructor(
    private readonly database: Database,
    private readonly store: AuditStore,
    private readonly chain: AuditChain,
    private readonly anchors: AnchorCheck,
    private readonly plan: AnchorPlan,
  ) {}

  @On(auditRecorded)
  async append(_scope: WorkScope, tx: Transaction, record: AuditRecord): Promise<void> {
    await this.store.append(tx, record);
    await this.plan.plan(tx);
  }

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
    return { ...(await this.walked(scope)), ...anchored };
  }

  /** Reads the head first: links that are added meanwhile are not walked, and a missing link is found. */
  private async walked(scope: WorkScope): Promise<Pick<AuditVerdict, 'links' | 'broken'>> {
    const head = await this.database.read(scope, (tx) => this.store.head(tx));
    let last = { number: 0, mac: BEGINNING };
    while (last.number < head.number) {
      const after = last.number;
      const page = await this.database.read(scope, (tx) => this.store.page(tx, after, PAGE));
      const [broken, next] = this.walk(scope.groupId, last, page);
      if (broken !== null || page.length === 0) return { links: next.number, broken: broken ?? next.number + 1 };
      last = next;
      if (last.number === head.number && !last.mac.equals(head.mac)) return { links: last.number, broken: last.number };
    }
    return { links: last.number, broken: null };
  }

  /** The number of the first link that does not follow its predecessor, and the last link that does. */
  private walk(
    groupId: string,
    from: Pick<KeptLink, 'number' | 'mac'>,
    page: readonly KeptLink[],
  ): [number | null, Pick<KeptLink, 'number' | 'mac'>] {
    let last = from;
    for (const { version, mac, number, ...record } of page) {
      const follows = number === last.number + 1;
      if (!follows || !this.chain.fits(last.mac, { groupId, number, record }, version, mac))
        return [last.number + 1, last];
      last = { number, mac };
    }
    return [null, last];
  }
}
