import { Injectable } from '@nestjs/common';
import { type AnchoredRecord, type AuditVerdict, type FlawedAnchor, MOST_FLAWED_ANCHORS } from '@acervo/contracts';
import { Database } from '@acervo/platform-database';
import type { WorkScope } from '@acervo/rbac';
import { AnchorStore, type StoredAnchor } from './anchor.store';
import type { AnchoredHead } from './audit-anchor';
import { AuditStore } from './audit.store';

type Verdict = Pick<AuditVerdict, 'anchors' | 'lastAnchor' | 'flawed'>;
type Macs = ReadonlyMap<number, Buffer>;

const named = ({ day, number }: AnchoredHead): AnchoredRecord => ({ day, number });

const flawOf = ({ key: object, read }: StoredAnchor, macs: Macs): FlawedAnchor | undefined => {
  if (!('head' in read))
    return { flaw: read.flaw, object, names: null, keyVersion: 'keyVersion' in read ? read.keyVersion : null };
  const mac = macs.get(read.head.number);
  if (mac?.equals(read.head.mac) === true) return undefined;
  const flaw = mac === undefined ? 'RECORD_MISSING' : 'RECORD_DIFFERS';
  return { flaw, object, names: named(read.head), keyVersion: null };
};

/** Compares the anchors of a group with the links that they name. */
@Injectable()
export class AnchorCheck {
  constructor(
    private readonly database: Database,
    private readonly store: AuditStore,
    private readonly anchors: AnchorStore,
  ) {}

  /**
   * Anchors are read before links: a link is stored before its anchor.
   * @param since the day of the first anchor that is compared, as YYYY-MM-DD; all of them without it
   */
  async check(scope: WorkScope, since?: string): Promise<Verdict> {
    let [anchors, lastAnchor]: [number, AnchoredRecord | null] = [0, null];
    const flawed: FlawedAnchor[] = [];
    const confirm = ({ read }: StoredAnchor): void => {
      anchors += 1;
      if ('head' in read && !flawed.some(({ names }) => names !== null)) lastAnchor = named(read.head);
    };
    for await (const page of this.anchors.pages(scope, since)) {
      const macs = await this.macsOf(scope, page);
      for (const anchor of page) {
        const flaw = flawOf(anchor, macs);
        if (flaw === undefined) confirm(anchor);
        else flawed.push(flaw);
      }
    }
    return { anchors, lastAnchor, flawed: flawed.slice(0, MOST_FLAWED_ANCHORS) };
  }

  private async macsOf(scope: WorkScope, page: readonly StoredAnchor[]): Promise<Macs> {
    const numbers = page.flatMap(({ read }) => ('head' in read ? [read.head.number] : []));
    const links = await this.database.read(scope, (tx) => this.store.macsOf(tx, numbers));
    return new Map(links.map(({ number, mac }) => [number, mac]));
  }
}
