import type { WorkScope } from '@acervo/rbac';
import type { AnchorCheck } from './anchor-check';
import type { Head } from './audit.store';
import { BEFORE_FIRST, type ChainWalk } from './chain-walk';

/** A chain is walked from its beginning again after this time: what was proved before may be changed since. */
const WHOLE_EVERY_MS = 86_400_000;

interface Progress {
  /** The last link that is proved. */
  last: Head;
  /** The day of the last anchor that agrees, as YYYY-MM-DD. */
  day: string | undefined;
  /** When the walk from the beginning began. */
  begunAt: number;
  /** All records until then are as they were written; undefined before the first proof. */
  verifiedAt: number | undefined;
  isBroken: boolean;
}

/** How far a step came. */
export type Step = 'verified' | 'under way' | 'broken';

/**
 * What this process has proved of the chain of each group, in memory: who can write the tables cannot
 * pretend that a chain was verified. A chain is walked in steps, and further from where it was proved once it has grown.
 */
export class VerifiedChains {
  private readonly groups = new Map<string, Progress>();

  constructor(
    private readonly chain: ChainWalk,
    private readonly anchors: AnchorCheck,
    private readonly now: () => number = Date.now,
  ) {}

  /** Forgets all groups but these. */
  keep(groupIds: ReadonlySet<string>): void {
    for (const groupId of this.groups.keys()) if (!groupIds.has(groupId)) this.groups.delete(groupId);
  }

  /**
   * The time until which the records of every group are proved, in milliseconds; 0 for a group that was broken at its
   * first proof. Undefined before the first proof of any group.
   */
  get verifiedAt(): number | undefined {
    const times = [...this.groups.values()].flatMap(({ verifiedAt, isBroken }) => verifiedAt ?? (isBroken ? 0 : []));
    return times.length === 0 ? undefined : times.reduce((oldest, time) => Math.min(oldest, time));
  }

  /** Goes on with the proof of one group. @param most links that are proved at most */
  async step(scope: WorkScope, most: number): Promise<Step> {
    const at = this.now();
    const progress = this.progressOf(scope.groupId, at);
    const { last, broken, isAtHead } = await this.chain.walk(scope, progress.last, most);
    if (broken !== null) return this.broken(progress);
    progress.last = last;
    if (!isAtHead) return 'under way';
    const { flawed, lastAnchor } = await this.anchors.check(scope, progress.day);
    if (flawed.length > 0) return this.broken(progress);
    Object.assign(progress, { day: lastAnchor?.day ?? progress.day, verifiedAt: at, isBroken: false });
    return 'verified';
  }

  private progressOf(groupId: string, at: number): Progress {
    const before = this.groups.get(groupId);
    const fresh = { last: BEFORE_FIRST, day: undefined, begunAt: at };
    if (before !== undefined) return at - before.begunAt < WHOLE_EVERY_MS ? before : Object.assign(before, fresh);
    const begun: Progress = { ...fresh, verifiedAt: undefined, isBroken: false };
    this.groups.set(groupId, begun);
    return begun;
  }

  /** The next step begins at the beginning: what is repaired is proved again. */
  private broken(progress: Progress): Step {
    Object.assign(progress, { last: BEFORE_FIRST, day: undefined, begunAt: this.now(), isBroken: true });
    return 'broken';
  }
}
