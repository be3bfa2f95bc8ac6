/** A root, and when it is to be scanned again. */
export interface RootDue {
  readonly code: string;
  /** Not above 0 once the time has come. */
  readonly dueInMs: number;
  /** A scan of it waits or is under way: the time to the next one begins at its end. */
  readonly isAtWork: boolean;
}

/** Which roots are scanned now, and when to look again. */
export interface RescanPlan {
  readonly now: readonly string[];
  readonly nextLookMs: number;
}

/** Looks are no closer than this where many roots share the time between two scans: each of them begins several. */
const ROUND_MS = 30_000;
/** A shorter time between two scans, as somebody may set it meanwhile, is heeded after so long. */
const LONGEST_LOOK_MS = 900_000;
const SHORTEST_LOOK_MS = 1_000;

/**
 * Spreads the scans of several roots evenly over the time between two scans of one, even where all have become due
 * together, as after a night without any process. The one that has waited longest goes first.
 */
export const planScans = (roots: readonly RootDue[], everyMs: number): RescanPlan => {
  const apartMs = everyMs / Math.max(1, roots.length);
  const most = Math.max(1, Math.ceil(ROUND_MS / apartMs));
  const idle = roots
    .filter(({ isAtWork }) => !isAtWork)
    .toSorted((a, b) => a.dueInMs - b.dueInMs || (a.code < b.code ? -1 : 1));
  const now = idle.filter(({ dueInMs }) => dueInMs <= 0).slice(0, most);
  // Those that are scanned now, or already, are due again no earlier than after that time.
  const dueInMs = idle[now.length]?.dueInMs ?? everyMs;
  const waitMs = Math.max(dueInMs, now.length * apartMs, SHORTEST_LOOK_MS);
  return { now: now.map(({ code }) => code), nextLookMs: Math.ceil(Math.min(waitMs, LONGEST_LOOK_MS)) };
};
