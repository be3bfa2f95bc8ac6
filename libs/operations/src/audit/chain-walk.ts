import { Injectable } from '@nestjs/common';
import { Database } from '@acervo/platform-database';
import type { WorkScope } from '@acervo/rbac';
import { AuditChain, BEGINNING } from './audit-chain';
import { AuditStore, type Head, type KeptLink } from './audit.store';

const PAGE = 500;

/** Where a walk along a chain ended. */
export interface Walked {
  /** The last link that follows its predecessor. */
  readonly last: Head;
  /** The number of the first link that does not, or is missing; null where all that were walked do. */
  readonly broken: number | null;
  /** Whether the walk reached the head that it read at its beginning. */
  readonly isAtHead: boolean;
}

/** What the first link of a chain follows. */
export const BEFORE_FIRST: Head = { number: 0, mac: BEGINNING };

/** Proves the links of a chain, one after the other. */
@Injectable()
export class ChainWalk {
  constructor(
    private readonly database: Database,
    private readonly store: AuditStore,
    private readonly chain: AuditChain,
  ) {}

  /**
   * Reads the head first: links that are added meanwhile are not walked, and a missing link is found.
   * @param from a link that was proved before; it has to be there still
   * @param most links to prove at most, in whole pages
   */
  async walk(scope: WorkScope, from: Head = BEFORE_FIRST, most = Infinity): Promise<Walked> {
    const head = await this.database.read(scope, (tx) => this.store.head(tx));
    if (!(await this.isThere(scope, from))) return { last: BEFORE_FIRST, broken: from.number, isAtHead: false };
    let last = from;
    while (last.number < head.number) {
      if (last.number - from.number >= most) return { last, broken: null, isAtHead: false };
      const after = last.number;
      const page = await this.database.read(scope, (tx) => this.store.page(tx, after, PAGE));
      const [broken, next] = this.prove(scope.groupId, last, page);
      if (broken !== null || page.length === 0)
        return { last: next, broken: broken ?? next.number + 1, isAtHead: false };
      last = next;
      // The last page may have links that came after the head was read.
      if (last.number === head.number && !last.mac.equals(head.mac))
        return { last, broken: last.number, isAtHead: false };
    }
    return { last, broken: null, isAtHead: true };
  }

  /** Whether a link that was proved before is there, unchanged. */
  private async isThere(scope: WorkScope, { number, mac }: Head): Promise<boolean> {
    if (number === 0) return true;
    const [link] = await this.database.read(scope, (tx) => this.store.macsOf(tx, [number]));
    return link?.mac.equals(mac) === true;
  }

  /** The number of the first link that does not follow its predecessor, and the last link that does. */
  private prove(groupId: string, from: Head, page: readonly KeptLink[]): [number | null, Head] {
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
