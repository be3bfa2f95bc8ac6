import type { LeftOutReason, PartKind } from '@acervo/public-mapping';

/** Parts of one kind that are not in the text, for one reason. */
export interface LeftOut {
  readonly reason: LeftOutReason;
  readonly count: number;
}

/** Parts of one kind: `counted` is the sum of `read` and of all that is left out. */
export interface PartCount {
  readonly kind: PartKind;
  /** Counted in the container, before any part is read. */
  readonly counted: number;
  readonly read: number;
  readonly leftOut: readonly LeftOut[];
}

/** What a file consists of, and what of it is in the text: one entry a kind. It contains nothing of the file. */
export interface ExtractionReport {
  readonly parts: readonly PartCount[];
}

interface Tally {
  counted: number;
  read: number;
  readonly leftOut: Map<LeftOutReason, number>;
}

/**
 * Counts the parts of one file. A reader counts a kind in the container first, then says of each part whether it is
 * read. Parts that it does not mention are left out as `UNREAD`: nothing is lost silently.
 */
export class PartTally {
  private readonly kinds = new Map<PartKind, Tally>();

  /** Parts that the container has. */
  count(kind: PartKind, parts = 1): void {
    this.of(kind).counted += parts;
  }

  read(kind: PartKind, parts = 1): void {
    this.of(kind).read += parts;
  }

  leaveOut(kind: PartKind, reason: LeftOutReason, parts = 1): void {
    const { leftOut } = this.of(kind);
    if (parts > 0) leftOut.set(reason, (leftOut.get(reason) ?? 0) + parts);
  }

  report(): ExtractionReport {
    return { parts: [...this.kinds].map(([kind, tally]) => this.closed(kind, tally)) };
  }

  private of(kind: PartKind): Tally {
    const tally = this.kinds.get(kind) ?? { counted: 0, read: 0, leftOut: new Map<LeftOutReason, number>() };
    this.kinds.set(kind, tally);
    return tally;
  }

  /** A container may understate its parts: those that were found count. */
  private closed(kind: PartKind, { counted, read, leftOut }: Tally): PartCount {
    const reasons = [...leftOut].map(([reason, count]) => ({ reason, count }));
    const found = reasons.reduce((sum, { count }) => sum + count, read);
    const unread = counted - found;
    const rest = unread > 0 ? [{ reason: 'UNREAD' as const, count: unread }] : [];
    return { kind, counted: Math.max(counted, found), read, leftOut: [...reasons, ...rest] };
  }
}
