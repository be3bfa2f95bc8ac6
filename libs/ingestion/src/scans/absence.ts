import type { RecordedDocument } from './compare';
import type { UnseenPlaces } from './unseen-places';

export interface AbsenceInput {
  /** Documents whose file was not found. */
  readonly absent: readonly RecordedDocument[];
  /** Documents that were present before this scan. */
  readonly present: number;
  /** Places that the scan could not see. */
  readonly unseen: UnseenPlaces;
  /** The user confirmed that so many documents are gone. */
  readonly accepted: boolean;
}

/** The documents that are gone, and the notice where the scan doubts it. */
export interface Absence {
  readonly gone: readonly RecordedDocument[];
  /** Documents that seem to be gone and stay as they are, because they are most of the root's documents. */
  readonly doubted: number;
  readonly notice: string | null;
}

/** Longest notice of the contract. */
const LONGEST = 500;
const cut = (text: string): string => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`);

/**
 * A file is gone when a scan sees its place and does not find it. When most files are gone at once, the scan suspects a
 * disk and not a user, and keeps their documents.
 * Files in unseen places are neither gone nor present, and count on neither side.
 */
export const judgeAbsence = ({ absent, present, unseen, accepted }: AbsenceInput): Absence => {
  const missing = absent.filter(({ status, deleted }) => status !== 'NO_ENCONTRADO' && !deleted);
  const gone = accepted ? missing : missing.filter((document) => !unseen.covers(document));
  const seen = present - (missing.length - gone.length);
  const isDoubted = gone.length > seen / 2 && !accepted;
  const most = `${gone.length} of ${seen} documents are gone at once, so they were left as they are; accept the deletions if they are meant.`;
  const notices = [...(isDoubted ? [most] : []), ...unseen.notices(accepted)];
  return {
    gone: isDoubted ? [] : gone,
    doubted: isDoubted ? gone.length : 0,
    notice: notices.length === 0 ? null : cut(notices.join(' ')),
  };
};
