/** A root, and when its next scan is due. */
export interface RootDue {
  readonly code: string;
  /** At most 0 when it is due. */
  readonly dueInMs: number;
  /** A scan of it waits or runs: the next interval begins at its end. */
  readonly isAtWork: boolean;
}

/** The roots to scan now, and the time of the next check. */
export interface RescanPlan {
  readonly now: readonly string[];
  readonly nextLookMs: number;
}

/** Shortest time between checks where many roots share the interval: each check begins several scans. */
const ROUND_MS = 30_000;
/** Longest time between checks: a shorter interval in the configuration takes effect after this time. */
const LONGEST_LOOK_MS = 900_000;
const SHORTEST_LOOK_MS = 1_000;

/**
 * Spreads the scans of several roots evenly over the interval. All may become due together, as after a night without
 * any process. The longest overdue root goes first.
 */
export const planScans = (roots: readonly RootDue[], everyMs: number): RescanPlan => {
  const apartMs = everyMs / Math.max(1, roots.length);
  const most = Math.max(1, Math.ceil(ROUND_MS / apartMs));
  const idle = roots
    .filter(({ isAtWork }) => !isAtWork)
    .toSorted((a, b) => a.dueInMs - b.dueInMs || (a.code < b.code ? -1 : 1));
  const now = idle.filter(({ dueInMs }) => dueInMs <= 0).slice(0, most);
  // Roots that are scanned now are due again no earlier than after the interval.
  const dueInMs = idle[now.length]?.dueInMs ?? everyMs;
  const waitMs = Math.max(dueInMs, now.length * apartMs, SHORTEST_LOOK_MS);
  return { now: now.map(({ code }) => code), nextLookMs: Math.ceil(Math.min(waitMs, LONGEST_LOOK_MS)) };
};
