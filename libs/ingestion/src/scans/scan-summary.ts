import type { IgnoredEntries } from '@acervo/contracts';
import { EXCLUSIONS, type ExclusionsRefused, MOST_EXCLUSIONS } from '@acervo/files';

/** The outcome of a scan. */
export interface ScanSummary {
  readonly seen: number;
  readonly added: number;
  readonly changed: number;
  readonly missing: number;
  readonly ignored: readonly IgnoredEntries[];
  /** Documents that seem to be gone and stay as they are. A user may accept that most are gone. */
  readonly doubted: number;
  /** Places that were unreadable. */
  readonly unread: number;
  /** Shares that are not mounted. */
  readonly unmounted: number;
  readonly notice: string | null;
  /** A user cancelled the run before the scan ended. */
  readonly cancelled?: true;
}

/** The summary of a scan that saw nothing. */
export const unscanned = (notice: string, unread = 0): ScanSummary => ({
  ...{ seen: 0, added: 0, changed: 0, missing: 0, ignored: [], doubted: 0, unmounted: 0 },
  unread,
  notice,
});

export const DELETED = unscanned('The folder was deleted meanwhile, so nothing was scanned.');

export const UNREADABLE = unscanned('The folder cannot be read now, so nothing was changed.', 1);

export const UNRESPONSIVE = unscanned(
  'The file system of the folder does not answer, so nothing was changed; see that its share is there.',
  1,
);

export const EXCLUSIONS_UNREADABLE = unscanned(
  `The ${EXCLUSIONS} of the folder cannot be read, so nothing was read or changed: make it a file of at most ${MOST_EXCLUSIONS / 1_000} kB that may be read, or remove it.`,
);

/** The summary of a scan that cannot apply a rule at the top of its root. */
export const exclusionsRefused = ({ line, problem }: Pick<ExclusionsRefused, 'line' | 'problem'>): ScanSummary =>
  unscanned(
    `Line ${line} of the ${EXCLUSIONS} of the folder ${problem}, so nothing was read or changed: simplify or remove it.`,
  );

/** The summary of a scan whose run was cancelled. */
export const cancelledAfter = (done: Partial<ScanSummary>): ScanSummary => ({
  ...unscanned('The run was cancelled while it scanned; the next scan of the folder continues.'),
  ...done,
  cancelled: true,
});
